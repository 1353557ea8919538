import type { MemoryFile } from "../../index.js";
import type { Answer } from "../terminal/answer.js";
import { cleaned } from "./chat-session.js";
import { countOf } from "../../base/count-of.js";
import { oneLine } from "../terminal/one-line.js";
import type { Shell } from "../terminal/shell.js";

/** MEMORY.md in step with the memories, what was taken in from it, and where it lies; a store in memory has no file. */
export async function memoryFile(shell: Shell, { path = false }: { path?: boolean }): Promise<Answer> {
  const found = await shell.withMemory((memory) => memory.conversations.memoryFile());
  return {
    document: found,
    ids: found.file === undefined ? [] : await cleaned([found.file]),
    ok: !path || found.file !== undefined,
    text: (page) =>
      path
        ? page.clean(found.file ?? none)
        : [
            page.paint("dim", oneLine(`${found.file ?? none}, ${countOf(found.bytes, "byte")}`, page)),
            ...takenIn(found).map((line) => page.paint("yellow", oneLine(line, page))),
            "",
            ...found.text
              .trimEnd()
              .split("\n")
              .map((line) => page.clean(line)),
          ].join("\n"),
  };
}

const none = "no file yet";

function takenIn({ added, revised, forgotten, problems }: MemoryFile): string[] {
  const parts = [
    [added, "added"],
    [revised, "revised"],
    [forgotten, "forgotten"],
  ].flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`]));
  return [
    ...(parts.length === 0 ? [] : [`Taken in from what you wrote there: ${parts.join(", ")}.`]),
    ...problems.map((problem) => `Not taken in: ${problem}`),
  ];
}
