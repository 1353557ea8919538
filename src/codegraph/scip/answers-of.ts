import { unquoted } from "./definition-sites.js";
import type { KnownSymbols } from "./known-symbols.js";
import type { DocumentContent } from "./read-index.js";
import type { ScipAnswers, ScipTarget } from "../link/scip-answers.js";
import { textAt, type Piece, type TextLines } from "./text-lines.js";

/** What a document says of its file: what each name in it leads to, and what each of its symbols implements. */
export function answersOf(file: string, content: DocumentContent, lines: TextLines, known: KnownSymbols): ScipAnswers {
  const answers: ScipAnswers = { targets: [], uses: [], implemented: [] };
  const numbers = new Map<string, number>();
  const numberOf = (target: ScipTarget): number => {
    const key = target.join("\n");
    const number = numbers.get(key) ?? answers.targets.push(target) - 1;
    numbers.set(key, number);
    return number;
  };
  for (const { piece, line, symbols } of listUses(content, lines)) {
    const found = symbols.map((symbol) => known.find(symbol, file));
    const targets = found.flatMap((one) => one ?? []);
    // One that has no node leads somewhere in the tree, and nobody knows where.
    if (targets.length === 0 && found.includes(undefined)) continue;
    const unique = [...new Set(targets.map(numberOf))].toSorted((a, b) => a - b);
    answers.uses.push([line, unquoted(piece.text), runsOn(piece) ? 1 : 0, ...unique]);
  }
  for (const { symbol, implemented } of content.symbols) {
    const above = implemented.flatMap((one) => known.find(one, file) ?? []);
    if (above.length === 0) continue;
    for (const [own, path] of known.find(symbol, file) ?? []) {
      if (own === file) answers.implemented.push([path, ...new Set(above.map(numberOf))]);
    }
  }
  return answers;
}

interface Use {
  piece: Piece;
  /** From 1. */
  line: number;
  symbols: string[];
}

/** The places that use something, in order. One may lead to several symbols. */
function listUses(content: DocumentContent, lines: TextLines): Use[] {
  const uses = new Map<string, Use & { column: number }>();
  for (const { range, symbol, isDefinition } of content.occurrences) {
    if (isDefinition) continue;
    const key = `${range.line} ${range.column} ${range.endColumn}`;
    const known = uses.get(key);
    if (known) {
      known.symbols.push(symbol);
      continue;
    }
    const piece = textAt(lines, range);
    if (piece && piece.text !== "") {
      uses.set(key, { piece, line: range.line + 1, column: piece.start, symbols: [symbol] });
    }
  }
  return [...uses.values()].toSorted((a, b) => a.line - b.line || a.column - b.column);
}

/** Whether the text goes on, or began, as a call does: `open(`, `open?.(`, `open<T>(`, `new Open`, `<Open`, `@open`. */
export function runsOn({ line, start, end }: Piece): boolean {
  return (
    /^\s*(?:\?\.|!+)?\s*(?:<[^;=]*>\s*)?[(`]/.test(line.slice(end)) ||
    /(?:\bnew\s+|<|@)(?:[\w$]+\.)*$/.test(line.slice(0, start))
  );
}
