import type {
  BindingFact,
  DeclaredFact,
  ExportFact,
  FileFacts,
  MemberFact,
  Named,
  ShapeFact,
  SymbolFact,
  TypeBindingFact,
} from "../facts/facts.js";
import { languageOf } from "../languages/language-of.js";
import type { LanguageLinking } from "../languages/language-linking.js";

/** A file as linking looks at it: its facts, with what is looked up by name in maps. */
export interface SourceFile {
  path: string;
  facts: FileFacts;
  /** What its language has the linker know. */
  language: LanguageLinking;
  exports: ReadonlyMap<string, ExportFact>;
  symbolsByPath: ReadonlyMap<string, number>;
  /** The shape that a class, an interface or a namespace has, by its symbol. */
  shapeOf: ReadonlyMap<number, number>;
  /** The namespace that goes by the name of a function, a class or an enum and adds members to it, by their symbol. */
  namespaceOf: ReadonlyMap<number, number>;
  /** Every name that some scope knows, of a value or a type: whatever else is named is global. */
  bound: ReadonlySet<string>;
  /** Whether some scope knows names that it does not say: of a class whose body it is, or of a space. */
  knowsMore: boolean;
  /** What it adds to spaces, by `addedKey`. */
  added: ReadonlyMap<string, readonly DeclaredFact[]>;
}

// By the facts and not by the path: facts that were read again are other facts.
const prepared = new WeakMap<FileFacts, SourceFile>();

export function sourceFileOf(path: string, facts: FileFacts): SourceFile {
  const known = prepared.get(facts);
  if (known?.path === path) return known;
  const place = known ? { ...known, path, language: linkingOf(path) } : prepare(path, facts);
  prepared.set(facts, place);
  return place;
}

function linkingOf(path: string): LanguageLinking {
  return languageOf(path)?.linking ?? {};
}

function prepare(path: string, facts: FileFacts): SourceFile {
  const shapeOf = shapesBySymbol(facts);
  const namespaces = new Map(
    facts.shapes.flatMap(({ kind, symbol }, shape) =>
      kind === "namespace" ? [[placeName(facts, symbol), shape]] : [],
    ),
  );
  const namespaceOf = new Map<number, number>();
  if (namespaces.size > 0) {
    facts.symbols.forEach(({ kind }, symbol) => {
      const shape = namespaces.get(placeName(facts, symbol));
      if (shape !== undefined && kind !== "namespace") namespaceOf.set(symbol, shape);
    });
  }
  return {
    path,
    language: linkingOf(path),
    namespaceOf,
    facts,
    exports: new Map(facts.exports),
    symbolsByPath: new Map(facts.symbols.map((fact, symbol) => [fact.path, symbol])),
    shapeOf,
    bound: namesBound(facts),
    knowsMore: facts.scopes.some(({ opens, isBody }) => isBody || opens),
    added: addedBy(facts),
  };
}

export function addedKey(space: string, name: string): string {
  return `${space}\n${name}`;
}

function addedBy({ spaces = [] }: FileFacts): ReadonlyMap<string, readonly DeclaredFact[]> {
  const added = new Map<string, DeclaredFact[]>();
  for (const [space, names] of spaces) {
    for (const fact of names) {
      const key = addedKey(space, fact[0]);
      const known = added.get(key);
      if (known) known.push(fact);
      else added.set(key, [fact]);
    }
  }
  return added;
}

/** The shape of a class, an interface or a namespace by its symbol, and of a function on which something was hung. */
export function shapesBySymbol({ shapes }: FileFacts): ReadonlyMap<number, number> {
  const shapeOf = new Map<number, number>();
  shapes.forEach(({ symbol, kind }, shape) => {
    if (symbol >= 0 && kind !== "object" && !shapeOf.has(symbol)) shapeOf.set(symbol, shape);
  });
  return shapeOf;
}

function placeName({ symbols }: FileFacts, symbol: number): string {
  return `${symbols[symbol]?.parent} ${symbols[symbol]?.name}`;
}

function namesBound({ scopes }: FileFacts): ReadonlySet<string> {
  const bound = new Set<string>();
  for (const { names, types } of scopes) {
    for (const pair of names) bound.add(pair[0]);
    for (const pair of types ?? []) bound.add(pair[0]);
  }
  return bound;
}

/**
 * What a parameter is voted on as. Its name says what it is among files of one language only: a class of Java is nothing that
 * a function of JavaScript is handed.
 */
export function voteName({ path, language }: SourceFile, parameter: string): string {
  return `${language.votePrefix ?? `${path.slice(path.lastIndexOf(".") + 1)}:`}${parameter}`;
}

export function symbolIn({ facts }: SourceFile, symbol: number): SymbolFact | undefined {
  return facts.symbols[symbol];
}

export function shapeIn({ facts }: SourceFile, shape: number): ShapeFact | undefined {
  return facts.shapes[shape];
}

/** What a name stands for in a scope itself. */
export function nameIn({ facts }: SourceFile, scope: number, name: string): BindingFact | undefined {
  return lookUp(facts.scopes[scope]?.names, name);
}

export function typeIn({ facts }: SourceFile, scope: number, name: string): TypeBindingFact | undefined {
  return lookUp(facts.scopes[scope]?.types, name);
}

export function memberIn({ facts }: SourceFile, shape: number, name: string): MemberFact | undefined {
  return lookUp(facts.shapes[shape]?.members, name);
}

export function staticIn({ facts }: SourceFile, shape: number, name: string): MemberFact | undefined {
  return lookUp(facts.shapes[shape]?.statics, name);
}

// Most scopes know a name or two: looking through them takes less than making a map of them.
const few = 8;
const indexes = new WeakMap<readonly Named<unknown>[], ReadonlyMap<string, number>>();

/** As in a map, the last of a name counts. */
function lookUp<T>(pairs: readonly Named<T>[] | undefined, name: string): T | undefined {
  if (!pairs) return undefined;
  if (pairs.length <= few) {
    for (let at = pairs.length - 1; at >= 0; at -= 1) if (pairs[at]?.[0] === name) return pairs[at]?.[1];
    return undefined;
  }
  let index = indexes.get(pairs);
  if (!index) indexes.set(pairs, (index = new Map(pairs.map((pair, at) => [pair[0], at]))));
  return pairs[index.get(name) ?? -1]?.[1];
}
