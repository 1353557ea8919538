import type { ExpressionFact, SymbolFact } from "../../facts/facts.js";
import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import { typeOf } from "./annotations.js";
import { givenToCallback } from "./callbacks.js";
import { dottedName, expressionOf, positional } from "./expressions.js";
import { fingerprintOf } from "../../syntax/fingerprint-of.js";
import { fixturesOf, isFixture } from "./fixtures.js";
import { declareParameters, typeParametersOf } from "./declare-parameters.js";
import { declareAll, scopeContext, type StatementContext } from "./statement-context.js";
import {
  addScope,
  addShape,
  addSymbol,
  bindingIn,
  declaringScope,
  lastLineOf,
  lineAt,
  part,
  pathIn,
  scopeAt,
  textOf,
  type Reading,
} from "./reading.js";
import { returnedBy } from "./returned-by.js";

/** `def`, with its decorators. */
export function declareFunction(
  place: StatementContext,
  node: SyntaxNode,
  whole: SyntaxNode,
  decorators: readonly SyntaxNode[],
): void {
  const { reading } = place;
  const [name, body] = [part(node, "name"), part(node, "body")];
  if (!name) return;
  const marks = marksOf(reading, decorators, textOf(reading, name));
  const symbol = defineFunction(place, whole, name, marks);
  const fact = reading.symbols[symbol] as SymbolFact;
  const isMethod = place.shape >= 0;
  const parent = outsideOfClass(reading, place.scope);
  const shape = isMethod ? place.shape : scopeAt(reading, place.scope).shape;
  const scope = addScope(reading, { kind: "function", parent, symbol, shape });
  reading.scopeOf.set(node, scope);
  const isGeneric = typeParametersOf(place, node, scope);
  const given = fixturesOf(scopeContext(place), textOf(reading, name), decorators);
  const parameters = declareParameters(place, node, scope, isMethod ? marks.first : undefined, given);
  if (given && marks.isFixture) reading.fixtures.add(symbol);
  // Annotations are read where the function is defined: its own names are not yet there.
  const readIn = isGeneric ? scope : place.scope;
  const stated = part(node, "return_type");
  if (marks.isAccessor) reading.later.push(() => delete fact.parameters);
  else if (!marks.isOverload) fact.scope = readIn;
  const isAbstract = marks.isAbstract || (isMethod && reading.shapes[place.shape]?.isProtocol && isStub(body));
  if (isAbstract || (marks.isOverload && fact.isCallable === undefined)) delete fact.isCallable;
  else fact.isCallable = true;
  reading.later.push(() => {
    if (marks.isOverload || marks.isAccessor) return;
    const decorated = decoratedBy(place, decorators[0]);
    if (decorated) fact.init = decorated;
    const types = parameters.map((type) => type && typeOf(reading, type, readIn));
    if (types.length > 0) fact.parameters = types;
    const type = stated && typeOf(reading, stated, readIn);
    const held = marks.isContext && type?.[0] === "array" ? type[1] : type;
    if (held) fact.returns = held;
    if (stated || !body) return;
    const returned = returnedBy(reading, body, scope, marks.isContext);
    if (returned.length > 0) fact.returned = returned.map((one) => [one, scope]);
  });
  declareAll(place, part(node, "parameters")?.children.flatMap((one) => part(one, "value") ?? []) ?? []);
  if (!body) return;
  const self =
    isMethod && parameters.self !== undefined
      ? { name: parameters.self, shape, isFirst: textOf(reading, name) === "__init__" }
      : place.self;
  place.declare(inside(place, { scope, symbol, body, ...(self && { self }) }), body);
}

// These leave a function a function, or are looked at in their own way.
const plain =
  /(^|\.)(\w*property|staticmethod|classmethod|abstractmethod|overload|override|wraps|\w*contextmanager|fixture)$/;

/** What a decorator gives for a function: a command, a task. */
function decoratedBy(
  { reading, scope: around }: StatementContext,
  decorator: SyntaxNode | undefined,
): ExpressionFact | null {
  const [written] = decorator?.children ?? [];
  const callee = written?.type === "call" ? part(written, "function") : written;
  // What is read outside of the class is not kept: a symbol has one scope, and that is not it.
  if (!decorator || !callee || reading.scopeOf.has(decorator)) return null;
  if (plain.test(dottedName(reading, callee) ?? "")) return null;
  const value = expressionOf({ reading, scope: around }, written);
  return value && ["call", value];
}

/** A lambda that has a name is a function; others belong to what they are in. */
export function declareLambda(
  place: StatementContext,
  node: SyntaxNode,
  { named, call }: { named?: { name: SyntaxNode; statement: SyntaxNode }; call?: SyntaxNode } = {},
): void {
  const { reading } = place;
  const [body, around] = [part(node, "body"), scopeAt(reading, place.scope)];
  let symbol = around.symbol;
  if (named) {
    const marks = marksOf(reading, [], textOf(reading, named.name));
    symbol = defineFunction(place, named.statement, named.name, marks);
    (reading.symbols[symbol] as SymbolFact).isCallable = true;
  }
  const parent = outsideOfClass(reading, place.scope);
  const shape = place.shape >= 0 ? place.shape : around.shape;
  const scope = addScope(reading, { kind: "function", parent, symbol, shape });
  reading.scopeOf.set(node, scope);
  const isMethod = named !== undefined && place.shape >= 0;
  const givenTo = call && ((index: number) => givenToCallback(scopeContext(place), call, node, index));
  declareParameters(place, node, scope, isMethod ? "self" : undefined, givenTo);
  const fact = reading.symbols[symbol];
  if (named && fact && body) {
    reading.later.push(() => {
      const value = expressionOf({ reading, scope }, body);
      if (value) fact.returned = [[value, scope]];
    });
  }
  declareAll(place, part(node, "parameters")?.children.flatMap((one) => part(one, "value") ?? []) ?? []);
  if (body) place.declare(inside(place, { scope, symbol, body }), body);
}

export function declareClass(place: StatementContext, node: SyntaxNode, whole: SyntaxNode): void {
  const { reading } = place;
  const [named, body, bases] = [part(node, "name"), part(node, "body"), part(node, "superclasses")];
  if (!named) return;
  const name = textOf(reading, named);
  const fingerprint = fingerprintOf(reading, whole, named);
  const symbol = addSymbol(reading, {
    ...rangeOf(reading, whole),
    path: pathIn(reading, place.symbol, name),
    name,
    kind: "class",
    parent: place.symbol,
    isCallable: true,
    ...(fingerprint !== undefined && { fingerprint }),
  });
  const around = reading.shapes[place.shape];
  const parents = (bases ? positional({ ...node, children: [{ ...bases, field: "arguments" }] }) : []).map((base) =>
    base.type === "subscript" ? (part(base, "value") ?? base) : base,
  );
  const baseNames = parents.map((base) => dottedName(reading, base)?.split(".").at(-1) ?? "");
  const index = addShape(reading, {
    symbol,
    kind: "class",
    scope: place.scope,
    members: new Map(),
    itself: around ? ["member", around.itself, name] : ["name", name],
    isEnum: baseNames.some((base) => /(Enum|Flag)$/.test(base)),
    isProtocol: baseNames.includes("Protocol"),
  });
  bind(place, name, symbol, { symbol });
  scopeAt(reading, declaringScope(reading, place.scope, name)).types.set(name, ["shape", index, symbol]);
  const parent = outsideOfClass(reading, place.scope);
  const scope = addScope(reading, { kind: "class", parent, symbol, shape: index });
  reading.scopeOf.set(node, scope);
  typeParametersOf(place, node, scope);
  reading.later.push(() => {
    const known = parents.map((base) => expressionOf(scopeContext(place), base)).filter((one) => one !== null);
    const shape = reading.shapes[index];
    if (shape && known.length > 0) shape.extends = known;
  });
  declareAll(place, bases?.children ?? []);
  if (body) place.declare({ ...inside(place, { scope, symbol, body }), shape: index }, body);
}

interface Marks {
  isOverload: boolean;
  /** A setter or deleter: it belongs to the property that was there before. */
  isAccessor: boolean;
  isGetter: boolean;
  isAbstract: boolean;
  /** Made into a context manager or a fixture: what it yields is what `with` or a test gets. */
  isContext: boolean;
  isFixture: boolean;
  first?: "self" | "class";
}

const ofTheClass = /^(__new__|__init_subclass__|__class_getitem__)$/;

function marksOf(reading: Reading, decorators: readonly SyntaxNode[], name: string): Marks {
  const written = decorators.flatMap(({ children: [one] }) => {
    const callee = one?.type === "call" ? part(one, "function") : one;
    return dottedName(reading, callee) ?? [];
  });
  const marks = new Set(written.map((one) => one.slice(one.lastIndexOf(".") + 1)));
  const first = marks.has("staticmethod")
    ? undefined
    : marks.has("classmethod") || ofTheClass.test(name)
      ? "class"
      : "self";
  const isGiving = isFixture(reading, decorators);
  return {
    isOverload: marks.has("overload"),
    isAccessor: written.some(
      (one) => one === `${name}.setter` || one === `${name}.deleter` || one === `${name}.getter`,
    ),
    isGetter: [...marks].some((mark) => mark.endsWith("property")),
    isAbstract: marks.has("abstractmethod") || marks.has("abstractproperty"),
    isContext: marks.has("contextmanager") || marks.has("asynccontextmanager") || isGiving,
    isFixture: isGiving,
    ...(first && { first }),
  };
}

/** The symbol of a function: a new one, or that of the overloads or the property which it belongs to. */
function defineFunction(place: StatementContext, whole: SyntaxNode, named: SyntaxNode, marks: Marks): number {
  const { reading } = place;
  const name = textOf(reading, named);
  const scope = scopeAt(reading, declaringScope(reading, place.scope, name));
  const known = scope.names.get(name);
  const before = known?.symbol === undefined ? undefined : reading.symbols[known.symbol];
  const fingerprint = fingerprintOf(reading, whole, named);
  if (known?.symbol !== undefined && before && (marks.isAccessor || known.isOverload)) {
    if (marks.isAccessor) {
      const isNext = reading.symbols.slice(known.symbol + 1).every(({ path }) => path.startsWith(`${before.path}.`));
      if (isNext) before.end = lastLineOf(reading, whole);
    } else if (!marks.isOverload) {
      Object.assign(before, rangeOf(reading, whole), fingerprint !== undefined && { fingerprint });
      delete known.isOverload;
    }
    return known.symbol;
  }
  const symbol = addSymbol(reading, {
    ...rangeOf(reading, whole),
    path: pathIn(reading, place.symbol, name),
    name,
    kind: place.shape >= 0 ? "method" : "function",
    parent: place.symbol,
    ...(fingerprint !== undefined && { fingerprint }),
  });
  bind(place, name, symbol, { symbol, ...(marks.isGetter && { isGetter: true }) });
  if (marks.isOverload) bindingIn(reading, place.scope, name).isOverload = true;
  return symbol;
}

/** A later definition in the same block takes the name; one in another block is a choice, and the first stays. */
function bind(
  place: StatementContext,
  name: string,
  symbol: number,
  member: { symbol: number; isGetter?: true },
): void {
  const binding = bindingIn(place.reading, place.scope, name);
  if (binding.symbol !== undefined && binding.block !== place.block) return;
  binding.symbol = symbol;
  binding.block = place.block;
  const shape = place.reading.shapes[place.shape];
  shape?.members.set(name, member);
}

function inside(
  { reading, declare, isTypeOnly, self: outer }: StatementContext,
  {
    scope,
    symbol,
    body,
    self = outer,
  }: { scope: number; symbol: number; body: SyntaxNode; self?: StatementContext["self"] },
): StatementContext {
  return {
    reading,
    declare,
    scope,
    symbol,
    shape: -1,
    block: body,
    ...(self && { self }),
    ...(isTypeOnly && { isTypeOnly }),
  };
}

/** Names of a class are not seen from inside of its functions. */
function outsideOfClass(reading: Reading, scope: number): number {
  const { kind, parent } = scopeAt(reading, scope);
  if (kind === "class") return parent;
  return kind === "part" && scopeAt(reading, parent).kind === "class" ? outsideOfClass(reading, parent) : scope;
}

/** A body that says nothing: `...`, `pass`, a text. */
function isStub(body: SyntaxNode | undefined): boolean {
  const silent = /^(ellipsis|string|pass_statement|comment)$/;
  return (body?.children ?? []).every(
    ({ type, children }) => silent.test(type) || silent.test(children[0]?.type ?? ""),
  );
}

function rangeOf(reading: Reading, whole: SyntaxNode): { start: number; end: number } {
  return { start: lineAt(reading, whole.start), end: lastLineOf(reading, whole) };
}
