import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { Shell } from "./shell.js";

/** The text of an argument: itself, or standard input when it is `-`. Nothing else ever reads standard input. */
export async function textArgument(typed: string, shell: Shell): Promise<string> {
  if (typed !== "-") return typed;
  if (process.stdin.isTTY) shell.notice("Waiting for text from the keyboard; Ctrl-D on a line of its own ends it.");
  return readText(process.stdin);
}

/** All of a stream as text, without its last line end. Refuses bytes that are no UTF-8 rather than guess. */
export async function readText(stream: Readable): Promise<string> {
  const bytes = await buffer(stream);
  try {
    // The byte order mark is left in: what may be kept is not decided here.
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.replace(/\r?\n$/, "");
  } catch (cause) {
    const { MemoryError } = await import("../../index.js");
    throw new MemoryError(
      "content-refused",
      "The text on standard input is not UTF-8.",
      "Convert it first, for example: iconv -f latin1 -t utf-8 notes.txt | tacit remember -",
      cause,
    );
  }
}
