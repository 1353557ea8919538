import type {
  BindingFact,
  ExportFact,
  FileFacts,
  MemberFact,
  Named,
  ShapeFact,
  SymbolFact,
  TypeBindingFact,
} from "../facts.js";

/** A file as linking looks at it: its facts, with what is looked up by name in maps. */
export interface Place {
  path: string;
  facts: FileFacts;
  exports: ReadonlyMap<string, ExportFact>;
  symbolsByPath: ReadonlyMap<string, number>;
  /** The shape that a class, an interface or a namespace has, by its symbol. */
  shapeOf: ReadonlyMap<number, number>;
  /** The namespace that goes by the name of a function, a class or an enum and adds members to it, by their symbol. */
  namespaceOf: ReadonlyMap<number, number>;
  names(scope: number): ReadonlyMap<string, BindingFact>;
  types(scope: number): ReadonlyMap<string, TypeBindingFact>;
  members(shape: number): ReadonlyMap<string, MemberFact>;
  statics(shape: number): ReadonlyMap<string, MemberFact>;
}

// By the facts and not by the path: facts that were read again are other facts.
const prepared = new WeakMap<FileFacts, Omit<Place, "path">>();

export function placeOf(path: string, facts: FileFacts): Place {
  const known = prepared.get(facts) ?? prepare(facts);
  prepared.set(facts, known);
  return { ...known, path };
}

function prepare(facts: FileFacts): Omit<Place, "path"> {
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
    namespaceOf,
    facts,
    exports: new Map(facts.exports),
    symbolsByPath: new Map(facts.symbols.map(({ path }, symbol) => [path, symbol])),
    shapeOf,
    names: lazily((scope) => facts.scopes[scope]?.names),
    types: lazily((scope) => facts.scopes[scope]?.types),
    members: lazily((shape) => facts.shapes[shape]?.members),
    statics: lazily((shape) => facts.shapes[shape]?.statics),
  };
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

const nothing = new Map<string, never>();

function lazily<T>(list: (index: number) => Named<T>[] | undefined): (index: number) => ReadonlyMap<string, T> {
  const maps = new Map<number, ReadonlyMap<string, T>>();
  return (index) => {
    const known = maps.get(index);
    if (known) return known;
    const pairs = list(index);
    const map = pairs && pairs.length > 0 ? new Map(pairs) : nothing;
    maps.set(index, map);
    return map;
  };
}

export function symbolIn({ facts }: Place, symbol: number): SymbolFact | undefined {
  return facts.symbols[symbol];
}

export function shapeIn({ facts }: Place, shape: number): ShapeFact | undefined {
  return facts.shapes[shape];
}
