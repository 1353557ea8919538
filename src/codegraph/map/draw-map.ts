import type { CountTokens } from "../../base/tokens/tokens.js";
import { disarmLine } from "../../hygiene/quote-data.js";
import { readCleanLines } from "../files/read-clean-lines.js";
import type { CodeNode } from "../codegraph.js";

export interface MappedFile {
  file: string;
  /** In the order of the file. */
  symbols: { id: string; line: string }[];
}

export interface DrawnMap {
  /** Empty where there is nothing to show, or no room. */
  text: string;
  tokens: number;
  /** The most central first. */
  files: MappedFile[];
}

export interface Room {
  budgetTokens: number;
  countTokens: CountTokens;
}

const longestLine = 100;
// A decorator or two stand above what they decorate; further away, something else has the name.
const maxLinesBelow = 12;
// Whole texts take a little less than their lines one by one.
const enough = 1.2;

/**
 * Draws symbols as the lines that define them, as the files stand now, without secrets: file by file in the order given, as
 * many of the first as there is room for. What its file does not say any more is left out.
 *
 * @example
 * (await drawMap(root, symbols, { budgetTokens: 1000, countTokens })).text
 * // src/storage/storage.ts
 * //   export class Store
 * //   Store.read: async read<T>(work: (reader: Reader) => Promise<T>): Promise<T>
 */
export async function drawMap(
  root: string,
  symbols: readonly CodeNode[],
  { budgetTokens, countTokens }: Room,
): Promise<DrawnMap> {
  const drawn = await drawLines(root, symbols, { budgetTokens: budgetTokens * enough, countTokens });
  const upTo = (count: number): DrawnMap => {
    const files = byFile(drawn.slice(0, count));
    const text = render(files);
    return { text, tokens: countTokens(text), files };
  };
  let most: DrawnMap = { text: "", tokens: 0, files: [] };
  for (let [fits, tooMany] = [0, drawn.length + 1]; tooMany - fits > 1;) {
    const middle = Math.floor((fits + tooMany) / 2);
    const map = upTo(middle);
    if (map.tokens > budgetTokens) tooMany = middle;
    else [fits, most] = [middle, map];
  }
  return most;
}

interface Line {
  symbol: CodeNode;
  line: string;
}

/** The first that take more than there is room for: the others' files are not even read. */
async function drawLines(root: string, symbols: readonly CodeNode[], room: Room): Promise<Line[]> {
  const files = new Map<string, string[] | undefined>();
  const drawn: Line[] = [];
  let tokens = 0;
  for (const symbol of symbols) {
    const isNew = !files.has(symbol.file);
    if (isNew) files.set(symbol.file, await readCleanLines(root, symbol.file));
    const line = lineOf(symbol, files.get(symbol.file) ?? []);
    if (line === undefined) continue;
    drawn.push({ symbol, line });
    tokens += room.countTokens(`  ${line}\n`) + (isNew ? room.countTokens(`${symbol.file}\n`) : 0);
    if (tokens > room.budgetTokens) break;
  }
  return drawn;
}

// `@cached`, and a line that is nothing but an attribute of C# or Rust: it may name what stands below it, too.
const decoration = /^\s*(?:@|#?\[.*\]\s*$)/;

/** The line that names it, without what comes after; undefined where there is none any more. */
function lineOf({ name, startLine, endLine }: CodeNode, lines: readonly string[]): string | undefined {
  const last = Math.min(endLine, startLine + maxLinesBelow);
  const line = lines.slice(startLine - 1, last).find((text) => text.includes(name) && !decoration.test(text));
  if (line === undefined) return undefined;
  const said = disarmLine(line).replace(/(?:\s*(?:[{(<:=]|=>|\basync))+$/, "");
  return said.length > longestLine ? `${Array.from(said).slice(0, longestLine).join("")}…` : said;
}

function byFile(drawn: readonly Line[]): MappedFile[] {
  const groups = new Map<string, Line[]>();
  for (const one of drawn) {
    const group = groups.get(one.symbol.file) ?? [];
    groups.set(one.symbol.file, [...group, one]);
  }
  return [...groups].map(([file, group]) => ({
    file,
    symbols: group
      .toSorted((a, b) => a.symbol.startLine - b.symbol.startLine || a.symbol.endLine - b.symbol.endLine)
      .map(({ symbol, line }) => ({ id: symbol.id, line: withOwner(symbol, line) })),
  }));
}

/** What is written in a class says of which: the class itself may not be in the map. */
function withOwner({ id, file }: CodeNode, line: string): string {
  const path = id.slice(file.length + 1).replace(/~\d+$/, "");
  return path.includes(".") ? `${disarmLine(path)}: ${line}` : line;
}

function render(files: readonly MappedFile[]): string {
  return files
    .map(({ file, symbols }) => [disarmLine(file), ...symbols.map(({ line }) => `  ${line}`)].join("\n"))
    .join("\n");
}
