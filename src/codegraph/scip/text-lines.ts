import type { PositionEncoding, Range } from "./read-index.js";

/** The lines of a text, for looking up what stands at a range. */
export interface TextLines {
  lines: string[];
  encoding: PositionEncoding;
}

export function linesOf(text: string, encoding: PositionEncoding): TextLines {
  return { lines: text.split(/\r?\n/), encoding };
}

/** What stands at a range of one line, and from which column in UTF-16 to which; undefined where the text has no such place. */
export function textAt({ lines, encoding }: TextLines, range: Range): Piece | undefined {
  const line = lines[range.line];
  if (line === undefined || range.endLine !== range.line) return undefined;
  const start = columnIn(line, range.column, encoding);
  const end = columnIn(line, range.endColumn, encoding);
  if (start === undefined || end === undefined || end < start) return undefined;
  return { text: line.slice(start, end), start, end, line };
}

export interface Piece {
  text: string;
  start: number;
  end: number;
  /** The whole line. */
  line: string;
}

function columnIn(line: string, column: number, encoding: PositionEncoding): number | undefined {
  if (column < 0) return undefined;
  // What is plain counts the same in all of them.
  if (encoding === "utf-16" || isPlain(line)) return column <= line.length ? column : undefined;
  let counted = 0;
  let at = 0;
  for (const letter of line) {
    if (counted >= column) break;
    counted += encoding === "utf-8" ? Buffer.byteLength(letter) : 1;
    at += letter.length;
  }
  return counted === column ? at : undefined;
}

function isPlain(line: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return /^[\x00-\x7F]*$/.test(line);
}
