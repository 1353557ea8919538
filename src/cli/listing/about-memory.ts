import type { Memory } from "../../index.js";
import type { Answer } from "../terminal/answer.js";
import { oneLine } from "../terminal/one-line.js";
import type { Page } from "../terminal/page.js";
import { renderMemoryList } from "./render-memory-list.js";
import { shortId } from "../terminal/short-id.js";

/** The answer of a command that worked on one memory: a sentence about it, what else is to say, and the memory. */
export function aboutMemory(
  memory: Memory,
  sentence: (id: string, page: Page) => string,
  remarks: string[] = [],
): Answer {
  return {
    document: memory,
    ids: [memory.id],
    text: (page) =>
      [
        sentence(page.paint("cyan", shortId(memory.id)), page),
        ...remarks.map((remark) => page.paint("yellow", oneLine(remark, page))),
        "",
        renderMemoryList([memory], page),
      ].join("\n"),
  };
}
