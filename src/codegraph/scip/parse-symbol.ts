/** The name that SCIP has for something, taken apart. */
export interface ScipSymbol {
  /** Scheme, manager, package and version; empty for what is local to its document. */
  package: string;
  descriptors: Descriptor[];
  isLocal: boolean;
}

export interface Descriptor {
  name: string;
  kind: "namespace" | "type" | "term" | "method" | "typeParameter" | "parameter" | "meta" | "macro";
  /** Where it ends in the symbol. */
  end: number;
}

/**
 * Takes a symbol apart: four words, and then descriptors, of which each ends with what it is. Undefined where it is none.
 *
 * @example parseSymbol("scip-typescript npm pkg 1.0 src/`a.ts`/open().")?.descriptors.at(-1) // { name: "open", kind: "method", … }
 */
export function parseSymbol(symbol: string): ScipSymbol | undefined {
  if (symbol.startsWith("local ")) return { package: "", descriptors: [], isLocal: true };
  let at = 0;
  for (let word = 0; word < 4; word += 1) {
    at = endOfWord(symbol, at);
    if (at < 0) return undefined;
  }
  const descriptors: Descriptor[] = [];
  const head = symbol.slice(0, at);
  while (at < symbol.length) {
    const next = readDescriptor(symbol, at);
    if (!next) return undefined;
    descriptors.push(next);
    at = next.end;
  }
  return descriptors.length === 0 ? undefined : { package: head, descriptors, isLocal: false };
}

/** Behind the space that ends a word; two of them are one that belongs to it. */
function endOfWord(symbol: string, from: number): number {
  let at = symbol.indexOf(" ", from);
  while (at >= 0 && symbol[at + 1] === " ") at = symbol.indexOf(" ", at + 2);
  return at < 0 ? -1 : at + 1;
}

const bySuffix: Record<string, Descriptor["kind"]> = {
  "/": "namespace",
  "#": "type",
  ".": "term",
  ":": "meta",
  "!": "macro",
};

function readDescriptor(symbol: string, from: number): Descriptor | undefined {
  const opening = symbol[from];
  if (opening === "(" || opening === "[") {
    const inner = readName(symbol, from + 1);
    const closing = opening === "(" ? ")" : "]";
    if (!inner || symbol[inner.end] !== closing) return undefined;
    return { name: inner.name, kind: opening === "(" ? "parameter" : "typeParameter", end: inner.end + 1 };
  }
  const found = readName(symbol, from);
  if (!found) return undefined;
  const { name, end } = found;
  if (symbol[end] === "(") {
    const close = symbol.indexOf(").", end);
    return close < 0 ? undefined : { name, kind: "method", end: close + 2 };
  }
  const kind = bySuffix[symbol[end] ?? ""];
  return kind && { name, kind, end: end + 1 };
}

function readName(symbol: string, from: number): { name: string; end: number } | undefined {
  if (symbol[from] !== "`") {
    const end = symbol.slice(from).search(/[^\w+\-$]/);
    return end <= 0 ? undefined : { name: symbol.slice(from, from + end), end: from + end };
  }
  let at = symbol.indexOf("`", from + 1);
  while (at >= 0 && symbol[at + 1] === "`") at = symbol.indexOf("`", at + 2);
  return at < 0 ? undefined : { name: symbol.slice(from + 1, at).replaceAll("``", "`"), end: at + 1 };
}
