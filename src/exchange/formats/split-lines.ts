import { importRefused } from "./incoming.js";

export interface NumberedLine {
  line: string;
  /** From 1. */
  number: number;
}

/** A memory of 64 KiB that was rewritten 500 times. Without a limit, a file without line ends would fill the memory. */
const longestLine = 64 * 1024 * 1024;

/** Text as it comes, line by line, without line ends and byte order mark. Bytes that are no UTF-8 are refused. */
export async function* splitLines(
  chunks: AsyncIterable<string | Uint8Array>,
  file: string,
): AsyncGenerator<NumberedLine, void, undefined> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let number = 1;
  let parts: string[] = [];
  let length = 0;

  const decode = (bytes?: Uint8Array): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch (cause) {
      throw importRefused(
        `${file}:${number}`,
        "the text is not UTF-8, in this line or soon after it.",
        `Convert it first, for example: iconv -f latin1 -t utf-8 ${file}`,
        cause,
      );
    }
  };
  const hold = (part: string): void => {
    parts.push(part);
    length += part.length;
    if (length <= longestLine) return;
    throw importRefused(`${file}:${number}`, "this line is longer than 64 MiB.", "Each memory is one line.");
  };
  const endLine = (): NumberedLine => {
    const line = parts.join("").replace(/\r$/, "");
    parts = [];
    length = 0;
    number += 1;
    return { line: number === 2 ? line.replace(/^\uFEFF/, "") : line, number: number - 1 };
  };

  for await (const chunk of chunks) {
    const [first = "", ...rest] = (typeof chunk === "string" ? chunk : decode(chunk)).split("\n");
    hold(first);
    for (const part of rest) {
      yield endLine();
      hold(part);
    }
  }
  hold(decode());
  if (length > 0) yield endLine();
}
