import type { SymbolKind } from "../../codegraph.js";
import { hash } from "node:crypto";
import type {
  BindingFact,
  ExportFact,
  ExpressionFact,
  FileFacts,
  ImportFact,
  MemberFact,
  ScopeFact,
  ShapeFact,
  SymbolFact,
  TypeBindingFact,
  TypeFact,
  UseFact,
} from "../../facts/facts.js";
import type { Node } from "./estree.js";

/** The facts of a file while they are gathered. */
export interface Draft {
  source: string;
  symbols: SymbolFact[];
  /** Where each of the symbols is written. */
  places: SymbolPosition[];
  scopes: DraftScope[];
  shapes: DraftShape[];
  imports: ImportFact[];
  exports: Map<string, ExportFact>;
  passedOn: string[];
  uses: UseFact[];
  declared: Map<Node, Declared>;
  /** Mentions that are noted already. */
  mentioned: Set<string>;
  lineOf(place: number): number;
  /** Notes what an expression uses and tells what it leads to. Here, because everything holds expressions, and they everything. */
  readExpression(node: Node, scope: number): ExpressionFact | null;
  /** An object as a shape; `within` is what it is held by, `expected` what it is said to be. */
  readObject(node: Node, scope: number, within: string, expected: ExpressionFact | undefined): number;
  readStatements(nodes: readonly Node[], scope: number): void;
  readStatement(node: Node, scope: number): void;
}

interface SymbolPosition {
  /** Decides who is `open` and who `open~2`. */
  place: number;
  /** What stands between its parent's path and its name: variables and properties that are no symbols. */
  within: string;
}

export interface DraftScope extends Omit<ScopeFact, "names" | "shape" | "types"> {
  shape: number;
  names: Map<string, BindingFact>;
  types?: Map<string, TypeBindingFact>;
  /** Where `var` belongs: the nearest scope of a function or a module. */
  varScope: number;
  /** Declares nothing, but knows more of a name than the scope around it. */
  isNarrowed: boolean;
  /** What is said to be returned by the function whose scope it is … */
  returnType: TypeFact | null;
  /** … and what it returns. */
  returned: [ExpressionFact, number][];
  /** Whether its variables are those of a module or a namespace: others can come to know them. */
  isModule: boolean;
}

/** What was made of a declaration before its body is read. */
export interface Declared {
  symbol: number;
  /** Its own scope, where it has one by then. */
  scope: number;
  shape: number;
}

export interface DraftShape extends Omit<ShapeFact, "members" | "statics"> {
  members: Map<string, MemberFact>;
  statics?: Map<string, MemberFact>;
}

/** A scope inside another, which it takes after in what is not given. */
export function addScope(
  draft: Draft,
  parent: number,
  given: { symbol?: number; shape?: number; isFunction?: boolean; isModule?: boolean; isNarrowed?: boolean } = {},
): number {
  const outer = draft.scopes[parent];
  const number = draft.scopes.length;
  draft.scopes.push({
    parent,
    symbol: given.symbol ?? outer?.symbol ?? -1,
    shape: given.shape ?? outer?.shape ?? -1,
    names: new Map(),
    varScope: given.isFunction || given.isModule || !outer ? number : outer.varScope,
    isNarrowed: given.isNarrowed ?? false,
    returnType: null,
    returned: [],
    isModule: given.isModule ?? false,
  });
  return number;
}

/** Where the value of a symbol is read, so that what it uses is used by the symbol. What uses nothing needs no scope. */
export function scopeOf(draft: Draft, value: Node, symbol: number | undefined, scope: number): number {
  if (symbol === undefined || value.type === "Literal" || value.type === "Identifier") return scope;
  return addScope(draft, scope, { symbol });
}

export function scopeAt(draft: Draft, scope: number): DraftScope {
  return draft.scopes[scope] as DraftScope;
}

/** The types that a scope declares. Few do: nine of ten scopes never have a map for them. */
export function typesAt(draft: Draft, scope: number): Map<string, TypeBindingFact> {
  return (scopeAt(draft, scope).types ??= new Map<string, TypeBindingFact>());
}

export function symbolAt(draft: Draft, symbol: number): SymbolFact {
  return draft.symbols[symbol] as SymbolFact;
}

export interface Definition {
  name: string;
  kind: SymbolKind;
  /** The whole of it, and the part that stays when it is moved: without `export` and what is declared beside it. */
  whole: Node;
  node: Node;
  id?: Node | undefined;
  scope: number;
  parent?: number;
  within?: string;
  isCallable?: boolean;
}

export function addSymbol(draft: Draft, definition: Definition): number {
  const { name, kind, scope, within = "" } = definition;
  const parent = definition.parent ?? scopeAt(draft, scope).symbol;
  const symbol = draft.symbols.length;
  draft.symbols.push({ path: "", name, kind, start: 0, end: 0, parent });
  draft.places.push({ place: 0, within });
  place(draft, symbol, definition);
  return symbol;
}

/** Says where a symbol stands: of overloads, the one with the body. */
export function place(
  draft: Draft,
  symbol: number,
  { whole, node, id, isCallable }: Pick<Definition, "whole" | "node" | "id" | "isCallable">,
): void {
  const placed = symbolAt(draft, symbol);
  const start = Math.min(whole.start, startOf(node));
  (draft.places[symbol] as SymbolPosition).place = start;
  placed.start = draft.lineOf(start);
  placed.end = draft.lineOf(Math.max(whole.start, whole.end - 1));
  if (isCallable) placed.isCallable = true;
  const fingerprint = fingerprintOf(draft.source, node, id);
  if (fingerprint === undefined) delete placed.fingerprint;
  else placed.fingerprint = fingerprint;
}

/** Decorators come before `export` and before the node itself. */
function startOf(node: Node): number {
  const [first] = (node.decorators as Node[] | undefined) ?? [];
  return first ? Math.min(first.start, node.start) : node.start;
}

// What is shorter is too common to tell one from another: `get size() { return 0 }`.
const leastText = 40;
// Functions in functions are read again for each that is around them. What comes later tells nobody apart.
const maxText = 65_536;

/** Of a definition without its name, its decorators and `export`, which come and go while it stays the same. */
function fingerprintOf(source: string, node: Node, id: Node | undefined): string | undefined {
  const last = (node.decorators as Node[] | undefined)?.at(-1);
  const start = Math.max(node.start, last?.end ?? 0);
  if (node.end - start < leastText) return undefined;
  let end = Math.min(node.end, start + maxText);
  // One parser counts the semicolon to a member, the other does not.
  while (end > start && " \r\n\t;,".includes(source.charAt(end - 1))) end -= 1;
  const text = id ? source.slice(start, id.start) + source.slice(endOfName(id), end) : source.slice(start, end);
  // Only what is not one space already: most of them are.
  const collapsed = text.replace(/\s{2,}|[^\S ]/g, " ").replace(/^ ?(?:export )?(?:default )?/, "");
  return collapsed.length < leastText ? undefined : hash("sha1", collapsed, "hex").slice(0, 16);
}

/** A name ends before its type. */
function endOfName(id: Node): number {
  return id.type === "Identifier" ? id.start + (id.name as string).length : id.end;
}

/** A draft of nothing yet, with the scope of the module. */
export function createDraft(source: string, lineOf: (place: number) => number): Draft {
  const notYet = (): never => {
    throw new Error("Nothing reads expressions yet.");
  };
  const draft: Draft = {
    source,
    symbols: [],
    places: [],
    scopes: [],
    shapes: [],
    imports: [],
    exports: new Map(),
    passedOn: [],
    uses: [],
    declared: new Map(),
    mentioned: new Set(),
    lineOf,
    readExpression: notYet,
    readObject: notYet,
    readStatements: notYet,
    readStatement: notYet,
  };
  addScope(draft, -1, { isModule: true });
  return draft;
}

export function addShape(draft: Draft, shape: Pick<ShapeFact, "symbol" | "kind" | "scope">): number {
  const { symbol, kind, scope } = shape;
  draft.shapes.push({ symbol, kind, scope, members: new Map() });
  return draft.shapes.length - 1;
}

export function shapeAt(draft: Draft, shape: number): DraftShape {
  return draft.shapes[shape] as DraftShape;
}

export function staticsAt(draft: Draft, shape: number): Map<string, MemberFact> {
  return (shapeAt(draft, shape).statics ??= new Map<string, MemberFact>());
}

/** Finds what a name means in a scope, and where it is declared. */
export function lookUp(draft: Draft, scope: number, name: string): { binding: BindingFact; scope: number } | undefined {
  for (let at = scope; at >= 0; at = scopeAt(draft, at).parent) {
    const binding = scopeAt(draft, at).names.get(name);
    if (binding) return { binding, scope: at };
  }
  return undefined;
}

export function lookUpType(draft: Draft, scope: number, name: string): TypeBindingFact | undefined {
  for (let at = scope; at >= 0; at = scopeAt(draft, at).parent) {
    const binding = scopeAt(draft, at).types?.get(name);
    if (binding) return binding;
  }
  return undefined;
}

/** The draft as facts. */
export function finish(draft: Draft): FileFacts {
  const { imports, exports, passedOn, uses } = draft;
  nameSymbols(draft);
  return {
    symbols: draft.symbols,
    scopes: draft.scopes.map(finishScope),
    shapes: draft.shapes.map(finishShape),
    imports,
    exports: [...exports],
    passedOn,
    uses,
  };
}

function finishScope({ parent, symbol, shape, names, types }: DraftScope): ScopeFact {
  const fact: ScopeFact = { parent, symbol, names: [...names] };
  if (shape >= 0) fact.shape = shape;
  if (types && types.size > 0) fact.types = [...types];
  return fact;
}

function finishShape({
  symbol,
  kind,
  scope,
  extends: parents,
  implements: promised,
  members,
  statics,
}: DraftShape): ShapeFact {
  const fact: ShapeFact = { symbol, kind, scope, members: [...members] };
  if (parents) fact.extends = parents;
  if (promised) fact.implements = promised;
  if (statics && statics.size > 0) fact.statics = [...statics];
  return fact;
}

/** Paths are given at the end and in source order, because declarations are read before what stands above them. */
function nameSymbols({ symbols, places }: Draft): void {
  const counts = new Map<string, number>();
  const taken = new Set<string>();
  const isNamed: boolean[] = [];
  const placeAt = (symbol: number): SymbolPosition => places[symbol] as SymbolPosition;
  const nameOne = (number: number): string => {
    const symbol = symbols[number] as SymbolFact;
    if (isNamed[number]) return symbol.path;
    isNamed[number] = true;
    const outer = symbol.parent < 0 ? "" : nameOne(symbol.parent);
    const path = joined(joined(outer, placeAt(number).within), symbol.name);
    let count = counts.get(path) ?? 0;
    do {
      count += 1;
      symbol.path = count === 1 ? path : `${path}~${count}`;
      // A property may be called "a~2".
    } while (taken.has(symbol.path));
    counts.set(path, count);
    taken.add(symbol.path);
    return symbol.path;
  };
  const inOrder = [...symbols.keys()].toSorted((a, b) => placeAt(a).place - placeAt(b).place);
  for (const symbol of inOrder) nameOne(symbol);
}

function joined(outer: string, inner: string): string {
  if (outer === "" || inner === "") return outer + inner;
  return `${outer}.${inner}`;
}
