import type { Memory } from "../../index.js";
import type { Page } from "./page.js";
import { oneLine, renderMemoryList, shortId } from "./render-memory.js";

/** What a command has to say, in the three forms that can be asked for. */
export interface Answer {
  /** The one document of `--json`. */
  document: unknown;
  /** What `--quiet` prints, one on a line. */
  ids?: string[];
  /** What a person reads. */
  text(page: Page): string;
  /** False when the command ran but what it found is bad; the exit code is then 1. */
  ok?: boolean;
  /** What is done once the answer is out and nobody waits for it any more. It has nothing to say, and must not throw. */
  afterwards?(): Promise<void>;
}

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
