import type { Piece } from "./cut-chunks.js";
import type { MeasuredLines } from "../files/measure-lines.js";

const maxLines = 100;
// As for code, in characters that are not white: of more than this the bundled model reads the beginning only.
const roomy = 2000;
const tooSmall = 300;

/** Cuts what has no outline: Markdown at its headings, anything else at blank lines, all at least every 100 lines. */
export function cutProse(lines: MeasuredLines, path: string): Piece[] {
  const headings = /\.(?:md|mdx|markdown)$/i.test(path) ? findHeadings(lines.texts) : new Map<number, Heading>();
  const pieces: Piece[] = [];
  let above: Heading[] = [];
  for (let start = 0; start < lines.texts.length;) {
    const end = endOfPiece(lines, headings, start);
    const within = headingsBetween(headings, start, end);
    const opening = isAtTop(lines, within[0], start) ? below(above, within[0]) : above;
    pieces.push({
      type: "prose",
      names: opening.slice(-1).map(({ text }) => text),
      context: opening.slice(0, -1).map(({ text }) => text),
      start,
      end,
    });
    for (const heading of within) above = below(above, heading);
    start = end + 1;
  }
  return pieces;
}

interface Heading {
  line: number;
  level: number;
  text: string;
}

function findHeadings(texts: readonly string[]): Map<number, Heading> {
  const headings = new Map<number, Heading>();
  let fence: string | undefined;
  texts.forEach((text, line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(text)?.[1];
    // A fence is closed by one of its kind that is as long.
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) {
      fence = fence === undefined ? mark : undefined;
    }
    const heading = fence === undefined ? /^ {0,3}(#{1,6})[ \t]+(\S.*?)[ \t#]*\r?$/.exec(text) : null;
    if (heading) headings.set(line, { line, level: heading[1]?.length ?? 1, text: begin(heading[2] ?? "") });
  });
  return headings;
}

// A heading may be a whole paragraph.
const longestName = 100;

function begin(text: string): string {
  return text.length <= longestName ? text : `${Array.from(text).slice(0, longestName).join("")}…`;
}

/** Before the next heading once there is enough, else before the limit, after a blank line where there is one. */
function endOfPiece(lines: MeasuredLines, headings: ReadonlyMap<number, Heading>, start: number): number {
  let breakAfter: number | undefined;
  for (let line = start; ; line += 1) {
    const next = line + 1;
    if (next >= lines.texts.length) return line;
    const size = lines.size(start, line);
    if (headings.has(next) && size >= tooSmall) return line;
    if (lines.size(line, line) === 0 && size >= roomy / 2) breakAfter = line;
    if (next - start >= maxLines || lines.size(start, next) > roomy) return breakAfter ?? line;
  }
}

function headingsBetween(headings: ReadonlyMap<number, Heading>, start: number, end: number): Heading[] {
  const within: Heading[] = [];
  for (let line = start; line <= end; line += 1) {
    const heading = headings.get(line);
    if (heading) within.push(heading);
  }
  return within;
}

function isAtTop(lines: MeasuredLines, heading: Heading | undefined, start: number): heading is Heading {
  return heading !== undefined && (heading.line === start || lines.size(start, heading.line - 1) === 0);
}

/** The headings in force once this one has been read. */
function below(above: readonly Heading[], heading: Heading): Heading[] {
  return [...above.filter(({ level }) => level < heading.level), heading];
}
