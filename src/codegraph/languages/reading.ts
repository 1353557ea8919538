import type {
  BindingFact,
  DeclaredFact,
  ExpressionFact,
  ImportFact,
  MemberFact,
  ScopeFact,
  ShapeFact,
  SymbolFact,
  TypeBindingFact,
  TypeFact,
  UseFact,
} from "../facts/facts.js";
import { lineAt, listLineStarts, textOf } from "../syntax/read-syntax.js";
import type { Grammar, SyntaxNode } from "../syntax/syntax-tree.js";

export { part } from "../syntax/read-syntax.js";

/** How a language is read: what to do with the nodes of its syntax tree, by their type. */
export interface Rules {
  grammar: Grammar;
  /** The text as it is parsed, where that is not as it stands; of the same length. */
  prepare?: (source: string) => string;
  /** Begins a file, before anything of it is read: which space it belongs to, what it opens. */
  begin?: (at: At, root: SyntaxNode) => void;
  /** Nodes that are a scope of their own, and nothing else. */
  blocks: readonly string[];
  /** What is not listed is gone through. */
  visit: Rule<void>;
  /** What is not listed leads nowhere. */
  expressions: Rule<ExpressionFact | null>;
  types: Rule<TypeFact | null>;
  /** What the parts of a file are to whoever cuts it into chunks. */
  outline: Readonly<Record<string, "function" | "class" | "import">>;
  /** What such a part is called, where that is not its part `name`. */
  nameOf?: (node: SyntaxNode) => SyntaxNode | undefined;
}

type Rule<T> = Readonly<Record<string, (at: At, node: SyntaxNode) => T>>;

/** Where reading stands: in which file, and in which of its scopes. */
export interface At {
  reading: Reading;
  scope: number;
  /** Whether what stands here may be left out when the scope is run: in an `if`, in a loop. */
  isMaybe?: true;
}

/** A file while it is read. */
export interface Reading {
  path: string;
  source: string;
  rules: Rules;
  lineStarts: number[];
  symbols: SymbolFact[];
  scopes: ScopeDraft[];
  shapes: ShapeDraft[];
  imports: ImportFact[];
  passedOn: string[];
  spaces: Map<string, DeclaredFact[]>;
  uses: UseFact[];
  mentioned: Set<string>;
  /** How many symbols go by a path so far, and which did first. */
  paths: Map<string, { count: number; first: number }>;
}

export interface ScopeDraft extends Omit<ScopeFact, "names" | "types" | "shape" | "opens"> {
  shape: number;
  names: Map<string, BindingFact>;
  types: Map<string, TypeBindingFact>;
  opens: string[];
  /** The space that what is defined here is a name of, where that is another than around it. */
  home?: string;
  /** How often its variables were given another value so far (assign.ts). */
  values?: Map<string, number>;
}

export interface ShapeDraft extends Omit<ShapeFact, "members" | "statics"> {
  members: Map<string, MemberFact>;
  statics: Map<string, MemberFact>;
}

export function beginReading(path: string, source: string, rules: Rules): Reading {
  const reading: Reading = {
    path,
    source,
    rules,
    lineStarts: listLineStarts(source),
    symbols: [],
    scopes: [],
    shapes: [],
    imports: [],
    passedOn: [],
    spaces: new Map(),
    uses: [],
    mentioned: new Set(),
    paths: new Map(),
  };
  addScope(reading, { parent: -1, symbol: -1, shape: -1 });
  return reading;
}

/** Goes on with a node as the language says. */
export function visit(at: At, node: SyntaxNode | undefined): void {
  if (!node) return;
  const rule = at.reading.rules.visit[node.type];
  if (rule) rule(at, node);
  else visitAll(at.reading.rules.blocks.includes(node.type) ? inside(at) : at, node.children);
}

export function visitAll(at: At, nodes: readonly (SyntaxNode | undefined)[]): void {
  for (const node of nodes) visit(at, node);
}

/** What an expression leads to. */
export function expressionOf(at: At, node: SyntaxNode | undefined): ExpressionFact | null {
  return (node && at.reading.rules.expressions[node.type]?.(at, node)) ?? null;
}

/** What a written type is. */
export function typeOf(at: At, node: SyntaxNode | undefined): TypeFact | null {
  return (node && at.reading.rules.types[node.type]?.(at, node)) ?? null;
}

export function text({ reading }: At, node: SyntaxNode): string {
  return textOf(reading, node);
}

/** The line a node begins in, from 1. */
export function lineOf({ reading }: At, node: SyntaxNode): number {
  return lineAt(reading, node.start);
}

export function children(node: SyntaxNode | undefined, ...types: string[]): SyntaxNode[] {
  return node?.children.filter(({ type }) => types.includes(type)) ?? [];
}

export function child(node: SyntaxNode | undefined, ...types: string[]): SyntaxNode | undefined {
  return node?.children.find(({ type }) => types.includes(type));
}

/** All children that have this part in their parent, as in `a, b := f()`. */
export function parts(node: SyntaxNode, field: string): SyntaxNode[] {
  return node.children.filter((one) => one.field === field);
}

type ScopeStart = Pick<ScopeDraft, "parent" | "symbol" | "shape" | "isBody">;

function addScope(reading: Reading, scope: ScopeStart): number {
  return reading.scopes.push({ ...scope, names: new Map(), types: new Map(), opens: [] }) - 1;
}

/** A scope inside of this one, which it takes after in what is not given. One that stays empty is dropped in the end. */
export function inside(at: At, given: { symbol?: number; shape?: number; isBody?: true } = {}): At {
  const { symbol, shape } = scopeAt(at);
  return { reading: at.reading, scope: addScope(at.reading, { parent: at.scope, symbol, shape, ...given }) };
}

export function scopeAt({ reading, scope }: At): ScopeDraft {
  return reading.scopes[scope] as ScopeDraft;
}

export function bindName(at: At, name: string, binding: BindingFact): void {
  scopeAt(at).names.set(name, binding);
}

export function bindType(at: At, name: string, binding: TypeBindingFact): void {
  scopeAt(at).types.set(name, binding);
}

/** A variable: what it is said to be, and what it is made of. `_` is none. */
export function bindValue(at: At, name: string, type: TypeFact | null, init: ExpressionFact | null = null): void {
  if (name !== "_") bindName(at, name, ["value", type, type ? null : init]);
}

/** Notes that something is used. `given` are arguments, in languages where they choose between methods of one name. */
export function use(
  at: At,
  kind: "call" | "new" | "reference",
  what: ExpressionFact | null,
  node: SyntaxNode,
  { name, given }: { name?: string | undefined; given?: (ExpressionFact | null)[] } = {},
): void {
  const line = lineOf(at, node);
  if (given) at.reading.uses.push([kind, what, at.scope, line, name ?? lastName(what), given]);
  else if (name === undefined) at.reading.uses.push([kind, what, at.scope, line]);
  else at.reading.uses.push([kind, what, at.scope, line, name]);
}

function lastName(what: ExpressionFact | null): string {
  if (what?.[0] === "member") return what[2];
  return what?.[0] === "name" ? what[1] : "";
}

/** Notes that a name is mentioned, once for each definition that does, unless it is that of a local variable. */
export function mention(at: At, what: ExpressionFact, node: SyntaxNode): void {
  const root = rootOf(what);
  if (root === undefined || isLocal(at, root)) return;
  const key = `${scopeAt(at).symbol} ${JSON.stringify(what)}`;
  if (at.reading.mentioned.has(key)) return;
  at.reading.mentioned.add(key);
  use(at, "reference", what, node);
}

function rootOf(what: ExpressionFact): string | undefined {
  if (what[0] === "member") return rootOf(what[1]);
  return what[0] === "name" ? what[1] : undefined;
}

/** Whether a name is that of a variable or parameter here, as far as the file was read. */
export function isLocal(at: At, name: string): boolean {
  for (let { scope } = at; scope >= 0; scope = at.reading.scopes[scope]?.parent ?? -1) {
    const kind = at.reading.scopes[scope]?.names.get(name)?.[0];
    if (kind !== undefined) return kind === "value" || kind === "parameter";
  }
  return false;
}

/** Notes that a type is mentioned. */
export function useType(at: At, type: TypeFact | null, node: SyntaxNode): void {
  if (type) at.reading.uses.push(["type", type, at.scope, lineOf(at, node)]);
}

/** An import that names a file. */
export function importFile(at: At, specifier: string, node: SyntaxNode): void {
  if (specifier !== "") at.reading.imports.push({ specifier, line: lineOf(at, node) });
}

/** An import that names a space, or a name of it. */
export function importSpace(at: At, space: string, name: string | undefined, node: SyntaxNode): void {
  const path = space.slice(space.indexOf(":") + 1);
  const specifier = name === undefined ? path : `${path}.${name}`;
  at.reading.imports.push({ specifier, line: lineOf(at, node), space, ...(name !== undefined && { name }) });
}

/** Makes the names of a space known in this scope. */
export function openSpace(at: At, space: string): void {
  const { opens } = scopeAt(at);
  if (!opens.includes(space)) opens.push(space);
}

// Every name is kept with its space, and a space with each that it lies in: of 13 kB, a package of 2,000 parts made 49 MB of facts.
const longestSpace = 500;

/** Adds a name to a space, unless that was made to be long. */
export function declare(at: At, space: string, name: string, binding: BindingFact): void {
  if (space.length > longestSpace) return;
  const names = at.reading.spaces.get(space) ?? [];
  names.push([name, binding, at.scope]);
  at.reading.spaces.set(space, names);
}

/** The space that what is defined here is a name of. */
export function homeOf(at: At): string {
  for (let { scope } = at; scope >= 0; scope = at.reading.scopes[scope]?.parent ?? -1) {
    const home = at.reading.scopes[scope]?.home;
    if (home !== undefined) return home;
  }
  return "";
}

/** Says that the file, or a part of it, belongs to a space; where spaces lie in each other, each is a name of the one around it. */
export function enterSpace(at: At, space: string, isNested: boolean): void {
  scopeAt(at).home = space;
  declare(at, space, "*", ["space", space, "*"]);
  if (!isNested) return;
  const start = space.indexOf(":") + 1;
  for (let inner = space; inner.length > start;) {
    const end = Math.max(inner.lastIndexOf("."), start - 1);
    const outer = inner.slice(0, Math.max(end, start));
    declare(at, outer, inner.slice(end + 1), ["space", inner, "*"]);
    if (outer.length > start) declare(at, outer, "*", ["space", outer, "*"]);
    inner = outer;
  }
}
