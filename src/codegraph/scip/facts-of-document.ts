import type { SymbolKind } from "../codegraph.js";
import { emptyFacts, type FileFacts, type SymbolFact, type UseFact } from "../facts/facts.js";
import { isAccessor, type DefinitionSite } from "./definition-sites.js";
import { parseSymbol, type Descriptor } from "./parse-symbol.js";
import type { DocumentContent } from "./read-index.js";
import type { ScipAnswers } from "../link/scip-answers.js";

/**
 * The facts of a file whose language nobody here can read, as far as a document has them: what it defines. What that uses
 * comes with the answers (`usesOf`).
 */
export function factsOfDocument(
  content: DocumentContent,
  sites: readonly DefinitionSite[],
  lastLine: number,
): FileFacts {
  const kinds = new Map(content.symbols.map(({ symbol, kind }) => [symbol, kind]));
  const symbols: SymbolFact[] = [];
  const bySymbol = new Map<string, number>();
  const paths = new Map<string, number>();
  const defined = sites.flatMap((site) => {
    const own = ownSymbol(site);
    return own ? [{ site, ...own }] : [];
  });
  for (const [at, { site, symbol, descriptors, last }] of defined.entries()) {
    const parent = parentOf(symbol, descriptors, bySymbol);
    const owner = symbols[parent];
    const kind = kindOf(last, kinds.get(symbol) ?? 0, owner);
    const path = owner ? `${owner.path}.${site.name}` : site.name;
    const count = (paths.get(path) ?? 0) + 1;
    paths.set(path, count);
    const end = site.end ?? endBefore(symbol, defined, at, lastLine);
    for (const one of site.symbols) bySymbol.set(one, symbols.length);
    symbols.push({
      path: count === 1 ? path : `${path}~${count}`,
      name: site.name,
      kind,
      start: site.start ?? site.line,
      end,
      parent,
      ...((last.kind === "method" || last.kind === "macro" || kind === "class") &&
        !isAccessor(last.name) && { isCallable: true }),
    });
  }
  const scopes = symbols.map((_, symbol) => ({ parent: 0, symbol, names: [] }));
  return { ...emptyFacts, symbols, scopes: [...emptyFacts.scopes, ...scopes] };
}

/** What a file uses by what a document says of it: each use belongs to the innermost of its symbols. */
export function usesOf({ symbols }: FileFacts, answers: ScipAnswers): UseFact[] {
  const waiting = symbols.map((_, at) => at).toSorted((a, b) => startOf(symbols, b) - startOf(symbols, a) || b - a);
  const around: number[] = [];
  return answers.uses.flatMap(([line, name, runs, ...targets]): UseFact[] => {
    for (let at = waiting.at(-1); at !== undefined && startOf(symbols, at) <= line; at = waiting.at(-1)) {
      around.push(at);
      waiting.pop();
    }
    while (around.length > 0 && (symbols[around.at(-1) ?? -1]?.end ?? 0) < line) around.pop();
    if (targets.length === 0) return [];
    return [[runs === 1 ? "call" : "reference", null, (around.at(-1) ?? -1) + 1, line, name]];
  });
}

function startOf(symbols: readonly SymbolFact[], at: number): number {
  return symbols[at]?.start ?? 0;
}

interface Own {
  symbol: string;
  descriptors: Descriptor[];
  last: Descriptor;
}

const worthy = new Set<Descriptor["kind"]>(["type", "term", "method", "macro"]);

/** Of what is defined at a site, the one with the shortest name: a class, and not its constructor. */
function ownSymbol({ symbols }: DefinitionSite): Own | undefined {
  const found = symbols.flatMap((symbol): Own[] => {
    const descriptors = parseSymbol(symbol)?.descriptors ?? [];
    const last = descriptors.at(-1);
    const isInner = descriptors.some(({ kind }) => kind === "parameter" || kind === "typeParameter");
    return last && worthy.has(last.kind) && !isInner ? [{ symbol, descriptors, last }] : [];
  });
  return found.toSorted((a, b) => a.descriptors.length - b.descriptors.length)[0];
}

function parentOf(symbol: string, descriptors: readonly Descriptor[], known: ReadonlyMap<string, number>): number {
  for (const { end } of descriptors.slice(0, -1).toReversed()) {
    const parent = known.get(symbol.slice(0, end));
    if (parent !== undefined) return parent;
  }
  return -1;
}

/** Where the index does not say how far something goes: to the next that is no part of it. */
function endBefore(
  symbol: string,
  defined: readonly { site: DefinitionSite; symbol: string }[],
  at: number,
  lastLine: number,
): number {
  const { line } = defined[at]?.site ?? { line: 1 };
  for (let next = at + 1; next < defined.length; next += 1) {
    const other = defined[next];
    if (other && !other.symbol.startsWith(symbol)) return Math.max(line, other.site.line - 1);
  }
  return Math.max(line, lastLine);
}

// Numbers of SymbolInformation.Kind: interfaces, traits and protocols; enums; aliases of types.
const interfaces = new Set([21, 42, 53, 56]);
const aliases = new Set([3, 55, 57]);
const enumKind = 11;

function kindOf({ kind }: Descriptor, stated: number, owner: SymbolFact | undefined): SymbolKind {
  const isMember = owner && (owner.kind === "class" || owner.kind === "interface" || owner.kind === "enum");
  if (kind === "method" || kind === "macro") return isMember ? "method" : "function";
  if (kind === "term") return isMember ? "property" : "variable";
  if (interfaces.has(stated)) return "interface";
  if (stated === enumKind) return "enum";
  return aliases.has(stated) ? "type" : "class";
}
