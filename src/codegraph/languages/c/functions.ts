import type { Named, TypeFact } from "../../facts/facts.js";
import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import {
  declaredBy,
  everywhere,
  isHeader,
  isInFunction,
  lastOf,
  parametersOf,
  share,
  type Declared,
} from "./declarators.js";
import { isStatic } from "./c-rules.js";
import { dotted } from "./names.js";
import { addMember, defineFunction } from "../define.js";
import {
  bindName,
  child,
  declare,
  homeOf,
  inside,
  openSpace,
  part,
  scopeAt,
  text,
  typeOf,
  visitAll,
  type At,
} from "../reading.js";

/** Type parameters of a template. */
export type Variables = readonly Named<TypeFact | null>[];

/** A function, a method in its class or apart from it, or a test. */
export function readFunction(at: At, node: SyntaxNode, variables: Variables = [], whole = node): void {
  const declared = declaredBy(part(node, "declarator"));
  if (!declared?.parameters || child(node, "delete_method_clause") || (isInFunction(at) && !scopeAt(at).isBody)) {
    // A macro with a block is written like a function, too.
    visitAll(at, [declared?.parameters, part(node, "body")]);
    return;
  }
  if (scopeAt(at).isBody) addMethod(at, node, declared, variables, whole);
  else if (declared.name.type === "qualified_identifier") addMethodApart(at, node, declared, variables, whole);
  else if (!part(node, "type") && /TEST/.test(text(at, declared.name))) addTest(at, node, declared);
  else addFunction(at, node, declared, variables, whole);
}

/** A method that stands in its class. */
export function addMethod(
  at: At,
  node: SyntaxNode,
  { name, parameters }: Declared,
  variables: Variables = [],
  whole = node,
): void {
  const { shape, symbol: owner } = scopeAt(at);
  const { at: body, symbol } = defineFunction(at, {
    node: whole,
    name,
    kind: "method",
    variables,
    parameters: parametersOf(at, parameters),
    returns: (inner) => typeOf(inner, part(node, "type")),
    body: part(node, "body") ?? child(node, "default_method_clause", "try_statement"),
  });
  visitAll(body, [part(node, "type"), parameters, child(node, "field_initializer_list")]);
  const isMaking = name.type === "destructor_name" || text(at, name) === at.reading.symbols[owner]?.name;
  if (!isMaking) addMember(at.reading, shape, text(at, name), { symbol }, true);
}

function addFunction(at: At, node: SyntaxNode, declared: Declared, variables: Variables, whole: SyntaxNode): void {
  const isSpecial = declared.name.type === "template_function";
  const name = isSpecial ? (part(declared.name, "name") ?? declared.name) : declared.name;
  const symbol = addBody(at, node, { name, kind: "function", parameters: declared.parameters, variables, whole });
  if (isSpecial) return;
  const called = text(at, name);
  const known = scopeAt(at).names.get(called);
  const isOverload = known !== undefined && (known[0] !== "symbol" || isFunction(at, known[1]));
  // Which of several is meant only a compiler can tell.
  bindName(at, called, isOverload ? ["value", null, null] : ["symbol", symbol]);
  if (!isStatic(at, node) || isHeader(at)) share(at, called, ["symbol", symbol]);
}

function isFunction({ reading }: At, symbol: number): boolean {
  return reading.symbols[symbol]?.kind === "function";
}

interface Body extends Pick<Parameters<typeof defineFunction>[1], "name" | "kind" | "owner" | "parent" | "receiver"> {
  parameters: SyntaxNode | undefined;
  variables: Variables;
  whole: SyntaxNode;
}

function addBody(at: At, node: SyntaxNode, { parameters, whole, ...given }: Body): number {
  const { at: body, symbol } = defineFunction(at, {
    ...given,
    node: whole,
    parameters: parametersOf(at, parameters),
    returns: (inner) => typeOf(inner, part(node, "type")),
    body: part(node, "body") ?? child(node, "default_method_clause", "try_statement"),
  });
  visitAll(body, [part(node, "type"), parameters, child(node, "field_initializer_list")]);
  return symbol;
}

/** `Status Store::read(…) { … }`: the class may be written in this file or in another. */
function addMethodApart(at: At, node: SyntaxNode, declared: Declared, variables: Variables, whole: SyntaxNode): void {
  const name = lastOf(declared.name);
  if (!name) return;
  const path = dotted(at, { ...declared.name, end: declared.name.end }).split(".");
  const owner = path.slice(0, -1).join(".");
  const { space, shape, body, parent } = within(at, owner);
  const symbol = addBody(body, node, {
    name: name.type === "template_function" ? (part(name, "name") ?? name) : { ...name, end: declared.name.end },
    kind: "method",
    owner,
    parent,
    parameters: declared.parameters,
    variables,
    whole,
    ...(parent < 0 && { receiver: { name: "this", type: ["name", owner] as TypeFact } }),
  });
  const isMaking = name.type === "destructor_name" || path.at(-1) === path.at(-2);
  if (isMaking) return;
  const known = at.reading.shapes[shape]?.statics;
  // It takes the place of what the class says of it.
  if (known && known.get(text(at, name))?.symbol === undefined) known.set(text(at, name), { symbol });
  else if (known) addMember(at.reading, shape, text(at, name), { symbol }, true);
  else declare(at, space, text(at, name), ["symbol", symbol]);
}

/** Where the body of a method stands: in its class, be that in this file, or known only by its space. */
function within(at: At, owner: string): { space: string; shape: number; body: At; parent: number } {
  const { shapes, symbols } = at.reading;
  const shape = shapes.findIndex(({ symbol, kind }) => kind === "class" && symbols[symbol]?.path === owner);
  const known = shapes[shape];
  if (known) return { space: "", shape, body: inside(at, { shape, isBody: true }), parent: known.symbol };
  const body = inside(at);
  const home = homeOf(at) === "" ? everywhere : homeOf(at);
  const end = owner.lastIndexOf(".");
  openSpace(body, `${home}.${owner}`);
  if (end > 0) openSpace(body, `${home}.${owner.slice(0, end)}`);
  return { space: `${home}.${owner}`, shape, body, parent: -1 };
}

/** `TEST_F(StoreTest, Reads) { … }` is the method `Reads` of a class that is a `StoreTest`. */
function addTest(at: At, node: SyntaxNode, declared: Declared): void {
  const [suite, name] = (declared.parameters?.children ?? []).map((one) => part(one, "type"));
  if (!suite || !name) return;
  const owner = text(at, suite);
  const { body, parent } = within(at, owner);
  addBody(body, node, { name, kind: "function", owner, parent, parameters: undefined, variables: [], whole: node });
}
