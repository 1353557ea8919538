import type { SymbolKind } from "../codegraph.js";
import type { MemberFact, Named, SymbolFact, TypeFact } from "../facts/facts.js";
import { fingerprintOf } from "../syntax/fingerprint-of.js";
import { lastLineOf } from "../syntax/read-syntax.js";
import type { SyntaxNode } from "../syntax/syntax-tree.js";
import { bindName, bindType, declare, inside, lineOf, scopeAt, text, visit, type At, type Reading } from "./reading.js";

export interface Definition {
  name: SyntaxNode;
  kind: SymbolKind;
  /** The whole of it, with what belongs to it in front. */
  node: SyntaxNode;
  /** Absent: what it is written in. */
  parent?: number;
  /** What it is called by where that is not its parent's path: a method that is written apart from its type. */
  owner?: string;
  isCallable?: boolean;
}

/** Adds a symbol, under a path that no other of the file has, and under no name. */
export function define(at: At, { name, kind, node, owner, isCallable, ...given }: Definition): number {
  const { reading } = at;
  const parent = given.parent ?? scopeAt(at).symbol;
  const called = text(at, name);
  const outer = owner ?? reading.symbols[parent]?.path ?? "";
  const path = outer === "" ? called : `${outer}.${called}`;
  const fingerprint = fingerprintOf(reading, node, name);
  const fact: SymbolFact = {
    path: claimPath(reading, path, kind),
    name: called,
    kind,
    start: lineOf(at, node),
    end: lastLineOf(reading, node),
    parent,
    ...(isCallable && { isCallable }),
    ...(fingerprint !== undefined && { fingerprint }),
  };
  return reading.symbols.push(fact) - 1;
}

/** A path that no other symbol has. Of a field and a method of one name, the method is asked for by it. */
function claimPath({ paths, symbols }: Reading, path: string, kind: SymbolKind): string {
  const known = paths.get(path);
  if (!known) {
    paths.set(path, { count: 1, first: symbols.length });
    return path;
  }
  known.count += 1;
  const field = known.count === 2 && kind === "method" ? symbols[known.first] : undefined;
  if (field?.kind !== "property") return `${path}~${known.count}`;
  field.path = `${path}~${known.count}`;
  return path;
}

/** Adds a symbol and binds its name where it is written. */
export function defineName(at: At, definition: Definition): number {
  const symbol = define(at, definition);
  bindName(at, text(at, definition.name), ["symbol", symbol]);
  return symbol;
}

export interface TypeDefinition extends Omit<Definition, "kind"> {
  kind: "class" | "interface" | "enum" | "namespace";
  /** Its type parameters, each with its bound. */
  variables?: readonly Named<TypeFact | null>[];
  extends?: readonly (TypeFact | null)[];
  implements?: readonly (TypeFact | null)[];
  /** The space it is a name of. */
  space?: string | undefined;
  /** What it is looked for as, where that is not its name alone. */
  called?: string;
  /** Whether members may be added to it from elsewhere. */
  isOpen?: boolean;
  /** Whether its members are known in its body by their bare names. */
  isBody?: boolean;
}

/** Adds something that has members. The answer stands in its body. */
export function defineType(at: At, given: TypeDefinition): { at: At; symbol: number; shape: number } {
  const { reading } = at;
  const name = given.called ?? text(at, given.name);
  const symbol = define(at, { ...given, isCallable: given.isCallable ?? given.kind === "class" });
  const shape = reading.shapes.length;
  const body = inside(at, { symbol, shape, ...(given.isBody && { isBody: true }) });
  (reading.symbols[symbol] as SymbolFact).scope = body.scope;
  const parents = stated(given.extends);
  const promised = stated(given.implements);
  reading.shapes.push({
    symbol,
    kind: given.kind,
    scope: body.scope,
    ...(parents.length > 0 && { extends: parents.map((type) => ["type", type] as const) }),
    ...(promised.length > 0 && { implements: promised }),
    members: new Map(),
    statics: new Map(),
    ...(given.isOpen && given.space !== undefined && { space: `${given.space}.${name}` }),
  });
  bindVariables(body, given.variables);
  bindName(at, name, ["symbol", symbol]);
  bindType(at, name, ["shape", shape, symbol]);
  if (scopeAt(at).isBody) addMember(reading, scopeAt(at).shape, name, { symbol }, true);
  if (given.space !== undefined) declare(at, given.space, name, ["symbol", symbol]);
  return { at: body, symbol, shape };
}

/** The body of a class without a name, in what makes one of it. */
export function defineAnonymous(at: At, parent: TypeFact | null): At {
  const { reading, scope } = at;
  const shape = reading.shapes.length;
  const parents = parent && { extends: [["type", parent] as ["type", TypeFact]] };
  reading.shapes.push({ symbol: -1, kind: "object", scope, members: new Map(), statics: new Map(), ...parents });
  return inside(at, { shape, isBody: true });
}

/** The type in whose body this is. */
export function typeAround(at: At): TypeFact | null {
  const symbol = at.reading.shapes[scopeAt(at).shape]?.symbol ?? -1;
  const name = at.reading.symbols[symbol]?.name;
  return name === undefined ? null : ["name", name];
}

function stated(types: readonly (TypeFact | null)[] = []): TypeFact[] {
  return types.filter((type) => type !== null);
}

function bindVariables(at: At, variables: readonly Named<TypeFact | null>[] = []): void {
  for (const [name, bound] of variables) bindType(at, name, ["variable", bound]);
}

/** Several values in one, as a function gives them: each is a member by its number. */
export function tupleOf({ reading, scope }: At, types: readonly (TypeFact | null)[]): TypeFact {
  const members = new Map(types.map((type, n) => [String(n), type ? { type } : {}]));
  return ["shape", reading.shapes.push({ symbol: -1, kind: "object", scope, members, statics: new Map() }) - 1];
}

/** Adds a member to a shape. Of several methods of a name arguments choose one; a field may go by the same name as they. */
export function addMember(reading: Reading, shape: number, name: string, member: MemberFact, isStatic = false): void {
  const all = isStatic ? reading.shapes[shape]?.statics : reading.shapes[shape]?.members;
  const known = all?.get(name);
  if (!known) {
    all?.set(name, member);
    return;
  }
  if (isMethod(reading, member)) (known.overloads ??= []).push(member.symbol as number);
  else if (isMethod(reading, known))
    all?.set(name, { ...member, overloads: [known.symbol as number, ...(known.overloads ?? [])] });
}

function isMethod({ symbols }: Reading, { symbol = -1 }: MemberFact): boolean {
  return symbols[symbol]?.kind === "method";
}

export interface Parameter {
  name?: string;
  type: TypeFact | null;
  isOptional?: boolean;
  /** It takes whatever is left. */
  isRest?: boolean;
}

export interface FunctionDefinition extends Omit<Definition, "kind" | "isCallable"> {
  kind: "function" | "method";
  variables?: readonly Named<TypeFact | null>[];
  /** What it is called on, where that has a name of its own. */
  receiver?: Parameter;
  parameters: readonly Parameter[];
  /** Read in its own scope, where its type parameters are known. */
  returns?: (inner: At) => TypeFact | null;
  body?: SyntaxNode | undefined;
}

/** Adds a function and reads its body. Without one it can be named, but not run. The answer stands in its scope. */
export function defineFunction(at: At, given: FunctionDefinition): { at: At; symbol: number } {
  const { parameters, returns, receiver, body } = given;
  const symbol = define(at, { ...given, isCallable: body !== undefined });
  const inner = inside(at, { symbol });
  const fact = at.reading.symbols[symbol] as SymbolFact;
  fact.scope = inner.scope;
  fact.parameters = parameters.map(({ type, isRest }) => (isRest && type ? ["array", type] : type));
  const least = parameters.filter(({ isOptional, isRest }) => !isOptional && !isRest).length;
  if (least < parameters.length) fact.arity = [least, parameters.some(({ isRest }) => isRest) ? -1 : parameters.length];
  bindVariables(inner, given.variables);
  const result = returns?.(inner);
  if (result) fact.returns = result;
  for (const { name, type, isRest } of receiver ? [receiver, ...parameters] : parameters) {
    if (name !== undefined && name !== "_")
      bindName(inner, name, ["parameter", isRest && type ? ["array", type] : type, null]);
  }
  visit(inner, body);
  return { at: inner, symbol };
}
