import { parseSymbol, type Descriptor } from "./parse-symbol.js";
import type { DocumentContent } from "./read-index.js";
import { textAt, type Piece, type TextLines } from "./text-lines.js";

/** A place where something is defined, with every symbol that is defined there: a class, and the constructor nobody wrote. */
export interface DefinitionSite {
  symbols: string[];
  /** As it stands in the text, without quotes. */
  name: string;
  /** From 1. */
  line: number;
  column: number;
  /** The last line of what is defined, where the index says so. */
  end?: number;
  start?: number;
}

/**
 * Where a document defines something, in order; or why it was made of another text. It rarely carries its text, so each
 * definition must stand where the text has its name.
 */
export function definitionSites(content: DocumentContent, lines: TextLines): DefinitionSite[] | { why: string } {
  const sites = new Map<string, DefinitionSite & { isNamed: boolean }>();
  for (const { symbol, range, enclosing, isDefinition } of content.occurrences) {
    // oxlint-disable-next-line no-control-regex
    if (/[\u0000-\u001F\u007F]/.test(symbol)) return { why: "a symbol in it has characters that no name has" };
    if (symbol.length > longestSymbol) return { why: "a symbol in it is longer than any name" };
    const piece = textAt(lines, range);
    if (!piece) {
      // Some indexers have one for the whole file.
      if (isDefinition && isPlaceless(symbol)) continue;
      if (range.endLine !== range.line && range.line >= 0 && range.endLine < lines.lines.length) continue;
      return { why: doesNotFit };
    }
    // The file itself, or what nobody wrote.
    if (!isDefinition || piece.text === "") continue;
    const key = `${range.line}:${piece.start}:${piece.end}`;
    const line = range.line + 1;
    const site = sites.get(key) ?? {
      symbols: [],
      name: unquoted(piece.text),
      line,
      column: piece.start,
      isNamed: false,
    };
    site.symbols.push(symbol);
    site.isNamed ||= isNamedSo(symbol, piece);
    if (enclosing && enclosing.endLine >= range.line && enclosing.line <= range.line) {
      site.start = Math.min(site.start ?? line, enclosing.line + 1);
      site.end = Math.max(site.end ?? line, enclosing.endLine + 1);
    }
    sites.set(key, site);
  }
  const found = [...sites.values()];
  if (found.some(({ isNamed }) => !isNamed)) return { why: doesNotFit };
  return found.toSorted((a, b) => a.line - b.line || a.column - b.column);
}

// Every symbol is kept, and nothing longer is one: the longest of hono has 141 letters (scip-typescript 0.4.0, 2026-11).
const longestSymbol = 10_000;

const doesNotFit = "does not fit the file as it is: make the index again";

/** Whether the text may be what the symbol is called; some are called otherwise than anything in the text. */
function isNamedSo(symbol: string, piece: Piece): boolean {
  if (!isWhole(piece)) return false;
  const last = lastOf(symbol);
  if (!last || last.kind === "meta" || last.kind === "namespace") return true;
  const name = last.name.replace(accessor, "");
  return name.startsWith("<") || bareName(name) === "" || bareName(name) === bareName(piece.text);
}

/** Whether no word goes on before or behind it. */
function isWhole({ line, start, end }: Piece): boolean {
  const goesOn = (at: number) => /^[\p{L}\p{N}_]{2}$/u.test(line.slice(at - 1, at + 1));
  return !(start > 0 && goesOn(start)) && !goesOn(end);
}

function isPlaceless(symbol: string): boolean {
  const kind = lastOf(symbol)?.kind;
  return kind === "namespace" || kind === "meta";
}

function lastOf(symbol: string): Descriptor | undefined {
  return parseSymbol(symbol)?.descriptors.at(-1);
}

/** Whether it stands for reading or writing a property: what a getter gives is called, not the getter. */
export function isAccessor(name: string): boolean {
  return accessor.test(name);
}

const accessor = /^<[gs]et>/;

/** Without marks that a language puts around a name: `$name`, `#name`, `name=`, `"name"`. */
export function bareName(text: string): string {
  return text.replaceAll(/^[^\p{L}\p{N}_]+|[^\p{L}\p{N}_]+$/gu, "");
}

/** A name as the facts have it: a key may be quoted. */
export function unquoted(text: string): string {
  return /^(["'`]).*\1$/s.test(text) && text.length > 2 ? text.slice(1, -1) : text;
}
