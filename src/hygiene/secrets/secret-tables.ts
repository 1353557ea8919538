import type { SecretFinding } from "./secret-finding.js";
import { nameHint, tellingName } from "./secret-names.js";
import { isNoCommonWord, isNoWord } from "./secret-places.js";
import { isPlaceholder, namesASecret } from "./secret-values.js";

const secretHeading = new RegExp(`^(?:[\\w-]{1,20}[ _-])?(?:${tellingName})s?$`, "i");
const hint = new RegExp(nameHint, "gi");
const heading = /^[\p{L}\p{N} _./()-]{1,40}$/u;
// What a line of such headings has no other characters than; most lines of a program have.
const lineOfHeadings = /^[\p{L}\p{N}\s_./(),-]+$/u;
// | --- | :-: |
const ruleLine = /^(?=[^|]*\|)[ \t|:-]+\r?$/;

interface Cell {
  start: number;
  text: string;
}

interface Table {
  separator: string;
  width: number;
  /** The columns that hold secrets. */
  columns: number[];
}

/** Finds what stands in a column headed "password" or the like, in Markdown and in values separated by commas or tabs. */
export function findInTables(text: string): SecretFinding[] {
  const findings: SecretFinding[] = [];
  hint.lastIndex = 0;
  for (let hinted = hint.exec(text); hinted !== null; hinted = hint.exec(text)) {
    const top = lineAt(text, text.lastIndexOf("\n", hinted.index) + 1);
    hint.lastIndex = top.end;
    const table = tableUnder(top, lineAt(text, top.end + 1).text);
    if (table === undefined) continue;
    for (let end = top.end; end < text.length;) {
      const line = lineAt(text, end + 1);
      const cells = cellsOf(line, table.separator);
      // This may be the heading of the next.
      if (cells.length !== table.width) break;
      findings.push(...table.columns.flatMap((column) => findInCell(cells[column])));
      end = hint.lastIndex = line.end;
    }
  }
  return findings;
}

interface Line extends Cell {
  end: number;
}

/** A line without the blanks around it, and where the break behind it is. */
function lineAt(text: string, start: number): Line {
  const found = text.indexOf("\n", start);
  const end = found === -1 ? text.length : found;
  return { ...trimmed(text.slice(start, end), start), end };
}

/** The table that begins below a line, if the line heads one. */
function tableUnder(line: Cell, nextLine: string): Table | undefined {
  const isMarkdown = ruleLine.test(nextLine);
  if (!isMarkdown && !lineOfHeadings.test(line.text)) return undefined;
  const separator = isMarkdown ? "|" : line.text.includes("\t") ? "\t" : ",";
  const names = cellsOf(line, separator).map((cell) => cell.text);
  if (names.length < 2 || !(isMarkdown || names.every((name) => heading.test(name)))) return undefined;
  const columns = names.flatMap((name, column) => (secretHeading.test(withoutMarks(name)) ? [column] : []));
  return columns.length === 0 ? undefined : { separator, width: names.length, columns };
}

function findInCell(cell: Cell | undefined): SecretFinding[] {
  const value = withoutMarks(cell?.text ?? "");
  if (cell === undefined || isPlaceholder(value) || namesASecret(value)) return [];
  const isQuoted = cell.text.startsWith("`");
  if (!isNoWord(value) && !(isQuoted && isNoCommonWord(value))) return [];
  const start = cell.start + cell.text.indexOf(value);
  return [{ start, end: start + value.length, kind: "password" }];
}

function withoutMarks(cell: string): string {
  return cell.replace(/^[*_`"' ]+|[*_`"' ]+$/g, "");
}

/** The parts of a text between separators, without the blanks around them. */
function cellsOf({ start, text }: Cell, separator: string): Cell[] {
  let partStart = start;
  return text.split(separator).map((part) => {
    const cell = trimmed(part, partStart);
    partStart += part.length + separator.length;
    return cell;
  });
}

function trimmed(part: string, start: number): Cell {
  return { start: start + (part.length - part.trimStart().length), text: part.trim() };
}
