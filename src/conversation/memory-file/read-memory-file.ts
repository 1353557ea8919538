import { everywhere, findTypeOfHeading, plainText, type Line } from "./line.js";

/** A line as it was when Tacit wrote the file. */
export interface WrittenLine {
  /** The last characters of the memory's id. */
  shortId: string;
  mark: string;
  isEverywhere: boolean;
}

export interface ReadFile {
  statements: Line[];
  /** What the file was written from, in its order; absent where it does not say so, or says it twice. */
  written?: WrittenLine[];
  /** It holds the marks of a merge that was not finished. */
  isConflicted: boolean;
}

/**
 * Reads a MEMORY.md, of ours or anybody's: bullets with what is indented below them, and paragraphs. Headings and comments
 * that begin a line are no statements; within a bullet they are text. A comment that never ends is left out alone.
 */
export function readMemoryFile(text: string): ReadFile {
  const whole = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const written = findWritten(whole);
  return {
    statements: listStatements(whole.split("\n")),
    ...(written && { written }),
    isConflicted: whole.split("\n").some((line) => mergeMark.test(line)),
  };
}

const mergeMark = /^(?:<{7}|>{7}|\|{7}) /;

/** The last line of ours. Blanks of any kind between its entries: an editor may have broken it. */
export const trailer = /^<!-- tacit 1((?:\s+(?:[0-9a-f]{8}:[0-9a-f]{6}|everywhere))*)\s+-->/gm;

function findWritten(text: string): WrittenLine[] | undefined {
  const [only, ...others] = [...text.matchAll(trailer)];
  if (!only || others.length > 0) return undefined;
  const parts = (only[1] ?? "").split(/\s+/).filter((part) => part !== "");
  const border = parts.indexOf("everywhere");
  return parts.flatMap((part, index): WrittenLine[] => {
    const [shortId = "", mark] = part.split(":");
    return mark === undefined ? [] : [{ shortId, mark, isEverywhere: border !== -1 && index > border }];
  });
}

const heading = /^(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/s;
const bullet = /^ ?(?:[-*+]|\d{1,9}[.)])[ \t]+(.*)$/s;
const nothing = /^ ?[-*+][ \t]*$/;
const drawnLine = /^(?:-{3,}|={3,}|(?:\*[ \t]*){3,}|_{3,})[ \t]*$/;
/** How many are not shown, as `renderMemoryFile` says it. */
const more = /^…? ?and \d+ more: `tacit list`$/;

/** One that may go on. */
type OpenLine = Omit<Line, "text"> & { lines: string[] };

function listStatements(lines: readonly string[]): Line[] {
  const found: OpenLine[] = [];
  let headings: { level: number; title: string }[] = [];
  let open: OpenLine | undefined;
  let blanks = 0;
  const begin = (line: number, first: string, isBullet: boolean): OpenLine => {
    const begun = { lines: [first], line, lastLine: line, isBullet, ...underHeadings(headings) };
    blanks = 0;
    found.push(begun);
    return begun;
  };
  const append = (to: OpenLine, line: string, number: number): void => {
    to.lines.push(...Array.from({ length: blanks }, () => ""), line);
    to.lastLine = number;
    blanks = 0;
  };

  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    const [, hashes, title = ""] = heading.exec(line) ?? [];
    const [, item] = bullet.exec(open ? line : line.trimStart()) ?? [];
    if (line.trim() === "") blanks += 1;
    else if (open && /^(?: {2}|\t)/.test(line)) append(open, line.replace(/^(?: {2}|\t)/, ""), index + 1);
    else if (line.startsWith("<!--")) {
      index = Math.max(
        index,
        endOf(lines, index, (one) => one.includes("-->")),
      );
      open = undefined;
    } else if (hashes !== undefined) {
      headings = [...headings.filter(({ level }) => level < hashes.length), { level: hashes.length, title }];
      open = undefined;
    } else if (isBorder(line)) open = undefined;
    else if (item !== undefined) open = begin(index + 1, item, true);
    else {
      const fence = /^(`{3,}|~{3,})/.exec(line)?.[1];
      const last = fence === undefined ? -1 : endOf(lines, index + 1, (one) => one.trimEnd() === fence);
      // Lines of one paragraph belong together, and so does the code that follows.
      if (open && (blanks === 0 || last !== -1)) append(open, line, index + 1);
      else open = begin(index + 1, line, false);
      for (; index < last; index += 1) append(open, lines[index + 1] ?? "", index + 2);
    }
  }
  return found
    .map(({ lines: texts, ...statement }) => ({ ...statement, text: plainText(texts.join("\n")) }))
    .filter(({ text }) => text !== "");
}

/** What belongs to no statement, and ends the one above it. */
function isBorder(line: string): boolean {
  return [drawnLine, nothing, more, mergeMark].some((border) => border.test(line));
}

function endOf(lines: readonly string[], start: number, isEnd: (line: string) => boolean): number {
  return lines.findIndex((line, index) => index >= start && isEnd(line));
}

function underHeadings(headings: { level: number; title: string }[]): Pick<Line, "type" | "isEverywhere" | "tags"> {
  const titles = headings.map(({ title }) => title);
  const type = titles
    .toReversed()
    .map(findTypeOfHeading)
    .find((found) => found !== undefined);
  const isEverywhere = titles.some((title) => title.toLowerCase() === everywhere.toLowerCase());
  // The title of the whole file says nothing about one line.
  const named = headings.filter(({ level, title }) => level > 1 && title.toLowerCase() !== everywhere.toLowerCase());
  const unknown = named.filter(({ title }) => findTypeOfHeading(title) === undefined);
  const tags = [...new Set(unknown.map(({ title }) => slugOf(title)))].filter((tag) => tag !== "");
  return { ...(type !== undefined && { type }), isEverywhere, tags };
}

function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/['’`]/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .slice(0, 60)
    .replace(/^-+|-+$/g, "");
}
