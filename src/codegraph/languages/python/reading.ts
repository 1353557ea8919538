import type {
  ExpressionFact,
  ImportFact,
  MemberFact,
  ShapeFact,
  SymbolFact,
  TypeBindingFact,
  UseFact,
} from "../../facts/facts.js";
import { listLineStarts } from "../../syntax/read-syntax.js";
import type { SyntaxNode, SyntaxTree } from "../../syntax/syntax-tree.js";

export { lastLineOf, lineAt, part, textOf } from "../../syntax/read-syntax.js";

/** A Python file while it is read: first what it declares, then what it uses. */
export interface Reading {
  path: string;
  source: string;
  parse(source: string): SyntaxTree;
  symbols: SymbolFact[];
  scopes: Scope[];
  shapes: Shape[];
  imports: ImportFact[];
  passedOn: string[];
  uses: UseFact[];
  /** Modules that were imported by their full name, as `a.b.c`: what an expression that begins so leads to. */
  dottedImports: Set<string>;
  /** Names of `__all__`, where the file has one … */
  listed?: string[];
  /** … and whether there are others, which only running it tells. */
  isListedInPart?: true;
  /** Which scope the body of a node is read in. */
  scopeOf: Map<SyntaxNode, number>;
  /** Types that are to be read when every name is known. */
  later: (() => void)[];
  paths: Map<string, number>;
  /** Functions that give tests what they need. */
  fixtures: Set<number>;
  /** The shapes of tuples that are written out. */
  tuples: Map<SyntaxNode, number>;
  lineStarts: number[];
}

export interface Scope {
  kind: "module" | "function" | "class" | "part";
  parent: number;
  symbol: number;
  shape: number;
  names: Map<string, Binding>;
  types: Map<string, TypeBindingFact>;
  globals: Set<string>;
  nonlocals: Set<string>;
}

/** All that a scope says of a name; a program may say several things. */
export interface Binding {
  symbol?: number;
  /** Where the symbol was defined: a second one in the same block takes its place, one in an other block is a choice. */
  block?: SyntaxNode;
  isOverload?: true;
  /** The symbol of a variable, which is what was assigned to it and nothing of its own. */
  variable?: number;
  imports: { specifier: string; name: string; block: SyntaxNode }[];
  /** The shape that has the symbol as its only member, where something else goes by the name as well. */
  alone?: number;
  isParameter?: true;
  /** The first parameter of a method: the object itself. */
  isSelf?: true;
  type?: SyntaxNode;
  /** Read when every name is known. */
  values: (() => ExpressionFact | null)[];
}

export interface Shape extends Omit<ShapeFact, "members" | "statics"> {
  members: Map<string, MemberFact>;
  /** The class as an expression, as its methods see it. */
  itself: ExpressionFact;
  isEnum: boolean;
  isProtocol: boolean;
  /** What methods put into `self`, in order. */
  assigned: AssignedMember[];
}

export interface AssignedMember {
  name: string;
  scope: number;
  type?: SyntaxNode;
  value: () => ExpressionFact | null;
  isFirst: boolean;
}

export function beginReading(path: string, source: string, parse: Reading["parse"]): Reading {
  const reading: Reading = {
    path,
    source,
    parse,
    symbols: [],
    scopes: [],
    shapes: [],
    imports: [],
    passedOn: [],
    uses: [],
    dottedImports: new Set(),
    scopeOf: new Map(),
    later: [],
    paths: new Map(),
    fixtures: new Set(),
    tuples: new Map(),
    lineStarts: listLineStarts(source),
  };
  addScope(reading, { kind: "module", parent: -1, symbol: -1, shape: -1 });
  return reading;
}

export function addScope(reading: Reading, scope: Pick<Scope, "kind" | "parent" | "symbol" | "shape">): number {
  const all = {
    ...scope,
    names: new Map(),
    types: new Map(),
    globals: new Set<string>(),
    nonlocals: new Set<string>(),
  };
  return reading.scopes.push(all) - 1;
}

/** Adds what has members, and nothing more as yet. */
export function addShape(
  reading: Reading,
  shape: Pick<Shape, "symbol" | "kind" | "scope" | "members"> & Partial<Shape>,
): number {
  const all: Shape = { assigned: [], itself: ["this"], isEnum: false, isProtocol: false, ...shape };
  return reading.shapes.push(all) - 1;
}

export function scopeAt(reading: Reading, index: number): Scope {
  return reading.scopes[index] as Scope;
}

/** What a name means in a scope, and where that was said. Class bodies are no scopes for what is inside of functions. */
export function findBinding(
  reading: Reading,
  from: number,
  name: string,
): { binding: Binding; scope: number } | undefined {
  for (let index = from; index >= 0; index = scopeAt(reading, index).parent) {
    const scope = scopeAt(reading, index);
    const binding = scope.names.get(name);
    if (binding && !scope.globals.has(name)) return { binding, scope: index };
  }
  return undefined;
}

/** What a scope says of a name, to be added to. Honours `global` and `nonlocal`. */
export function bindingIn(reading: Reading, from: number, name: string): Binding {
  const scope = scopeAt(reading, declaringScope(reading, from, name));
  let binding = scope.names.get(name);
  if (!binding) scope.names.set(name, (binding = { imports: [], values: [] }));
  return binding;
}

/** The scope that an assignment to a name belongs to. */
export function declaringScope(reading: Reading, from: number, name: string): number {
  let index = from;
  while (scopeAt(reading, index).kind === "part") index = scopeAt(reading, index).parent;
  const scope = scopeAt(reading, index);
  if (scope.globals.has(name)) return 0;
  if (!scope.nonlocals.has(name)) return index;
  return findBinding(reading, scope.parent, name)?.scope ?? index;
}

/** Adds a symbol, under a path that no other of the file has. */
export function addSymbol(reading: Reading, symbol: SymbolFact): number {
  const count = (reading.paths.get(symbol.path) ?? 0) + 1;
  reading.paths.set(symbol.path, count);
  const path = count === 1 ? symbol.path : `${symbol.path}~${count}`;
  return reading.symbols.push({ ...symbol, path }) - 1;
}

/** The path of something that is written in a symbol. */
export function pathIn(reading: Reading, parent: number, name: string): string {
  const outer = reading.symbols[parent];
  return outer ? `${outer.path}.${name}` : name;
}
