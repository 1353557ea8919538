import type { SecretFinding } from "./secret-finding.js";
import { nameHint, tellingName } from "./secret-names.js";
import { isNoCommonWord, isNoWord } from "./secret-places.js";
import { isPlaceholder, namesASecret } from "./secret-values.js";

const secretHeading = new RegExp(`^(?:[\\w-]{1,20}[ _-])?(?:${tellingName})s?$`, "i");
const heading = /^[\p{L}\p{N} _./()-]{1,40}$/u;
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
  const lines = linesOf(text);
  let table: Table | undefined;
  for (const [number, line] of lines.entries()) {
    const cells = table && cellsOf(line, table.separator);
    if (table !== undefined && cells?.length === table.width) {
      findings.push(...table.columns.flatMap((column) => findInCell(cells[column])));
    } else {
      table = nameHint.test(line.text) ? tableUnder(line, lines[number + 1]?.text ?? "") : undefined;
    }
  }
  return findings;
}

/** The table that begins below a line, if the line heads one. */
function tableUnder(line: Cell, nextLine: string): Table | undefined {
  const isMarkdown = ruleLine.test(nextLine);
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

function linesOf(text: string): Cell[] {
  return cellsOf({ start: 0, text }, "\n");
}

/** The parts of a text between separators, without the blanks around them. */
function cellsOf({ start, text }: Cell, separator: string): Cell[] {
  let partStart = start;
  return text.split(separator).map((part) => {
    const cell = { start: partStart + (part.length - part.trimStart().length), text: part.trim() };
    partStart += part.length + separator.length;
    return cell;
  });
}
