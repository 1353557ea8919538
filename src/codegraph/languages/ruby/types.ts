import type { ExpressionFact, SymbolFact } from "../../facts/facts.js";
import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import { define, defineType } from "../define.js";
import {
  bindName,
  children,
  declare,
  enterSpace,
  expressionOf,
  homeOf,
  inside,
  openSpace,
  part,
  scopeAt,
  text,
  use,
  visit,
  type At,
} from "../reading.js";

/** `class A < B`, `module A::B`: wherever else it is opened, it is the same, so all that it has is in its space. */
export function readClass(at: At, node: SyntaxNode): void {
  const name = part(node, "name");
  const superclass = part(node, "superclass")?.children[0];
  if (!name) return;
  const body = openClass(at, { node, name, isModule: node.type === "module" }, superclass);
  readFields(body, superclass);
  visit(body, part(node, "body"));
}

interface Opened {
  node: SyntaxNode;
  name: SyntaxNode;
  isModule: boolean;
}

/** Defines a class or module. The answer stands in its body. */
export function openClass(at: At, { node, name, isModule }: Opened, superclass: SyntaxNode | undefined): At {
  const { outer, last, path } = placeOf(at, name);
  const space = joined(outer, text(at, last));
  const { at: body, symbol } = defineType(at, {
    node,
    name: last,
    kind: isModule ? "namespace" : "class",
    ...(path !== "" && { owner: ownerOf(at, path), called: text(at, name) }),
  });
  declare(at, outer, text(at, last), ["symbol", symbol]);
  const shape = at.reading.shapes[scopeAt(body).shape];
  const isPart = !superclass && !isNamedAfter(at.reading.path, text(at, last));
  if (shape) Object.assign(shape, { space, instances: instancesOf(space), isOrdered: true, ...(isPart && { isPart }) });
  enterSpace(body, space, false);
  openSpace(body, space);
  bindName(body, "self", ["symbol", symbol]);
  bindName(body, "class", ["symbol", symbol]);
  if (superclass) addParent(body, makerOf(at, superclass) ?? expressionOf(at, superclass));
  if (isForBoth(at, node)) bindName(body, "module_function", ["value", null, null]);
  return body;
}

/** `lib/http_store.rb` is where everybody looks for `HTTPStore`. */
function isNamedAfter(path: string, name: string): boolean {
  return /([^/]*)\.\w+$/.exec(path)?.[1]?.replaceAll("_", "").toLowerCase() === name.toLowerCase();
}

function ownerOf(at: At, path: string): string {
  const outer = at.reading.symbols[scopeAt(at).symbol]?.path;
  return outer === undefined ? path : `${outer}.${path}`;
}

/** Where a class lies that is written as `A::B`, and how it is called by what stands before it. */
function placeOf(at: At, name: SyntaxNode): { outer: string; last: SyntaxNode; path: string } {
  const home = homeOf(at);
  if (name.type !== "scope_resolution") return { outer: home, last: name, path: "" };
  const [scope, last] = [part(name, "scope"), part(name, "name") ?? name];
  const path = scope
    ? text(at, scope)
        .replaceAll("::", ".")
        .replaceAll(/\s|^\./g, "")
    : "";
  const isAbsolute = !scope || text(at, scope).startsWith("::");
  return { outer: path === "" ? "ruby:" : joined(isAbsolute ? "ruby:" : home, path), last, path };
}

function joined(space: string, name: string): string {
  return space.endsWith(":") ? space + name : `${space}.${name}`;
}

/** The space of what instances have: a method of a class may go by the name of one of theirs. */
export function instancesOf(space: string): string {
  return `${space}!`;
}

/** The last parent comes first: what is included hides what is inherited. */
export function addParent(at: At, parent: ExpressionFact | null, isMixed = false): void {
  const shape = at.reading.shapes[scopeAt(at).shape];
  if (!shape?.space || !parent) return;
  shape.extends = [parent, ...(shape.extends ?? [])];
  declare(at, shape.space, isMixed ? "<mixes>" : "<extends>", ["value", ["of", parent], null]);
}

/** Whether the methods of a module are also its own: `extend self`, `module_function`. */
function isForBoth(at: At, node: SyntaxNode): boolean {
  return (part(node, "body")?.children ?? []).some(
    (one) => /^(?:call|identifier)$/.test(one.type) && /^(?:extend\s+self|module_function)\b/.test(text(at, one)),
  );
}

const makers = new Set(["Struct.new", "Data.define", "Class.new", "Module.new"]);

/** What makes a class in the middle of a program: `Struct` of `Struct.new(:a)`. */
function makerOf(at: At, node: SyntaxNode | undefined): ExpressionFact | null {
  const [receiver, method] = node?.type === "call" ? [part(node, "receiver"), part(node, "method")] : [];
  if (!receiver || !method || !makers.has(`${text(at, receiver)}.${text(at, method)}`)) return null;
  return ["name", text(at, receiver)];
}

/** `Entry = Struct.new(:id) do … end` defines a class, any other constant a value. */
export function readConstant(at: At, node: SyntaxNode, name: SyntaxNode, value: SyntaxNode | undefined): void {
  const maker = makerOf(at, value);
  if (!maker || !value) {
    const kind = at.reading.shapes[scopeAt(at).shape]?.kind === "class" ? "property" : "variable";
    const symbol = define(at, { name, kind, node });
    const init = expressionOf(at, value);
    Object.assign(at.reading.symbols[symbol] as SymbolFact, { scope: at.scope }, init && { init });
    declare(at, homeOf(at), text(at, name), ["symbol", symbol]);
    visit(inside(at, { symbol }), value);
    return;
  }
  const [above] = maker[1] === "Class" ? (part(value, "arguments")?.children ?? []) : [value];
  const body = openClass(at, { node, name, isModule: maker[1] === "Module" }, above);
  readFields(body, value);
  visit(body, part(part(value, "block") ?? value, "body"));
}

/** The fields of a struct. */
function readFields(at: At, node: SyntaxNode | undefined): void {
  const maker = makerOf(at, node);
  if (!node || (maker?.[1] !== "Struct" && maker?.[1] !== "Data")) return;
  for (const field of children(part(node, "arguments"), "simple_symbol")) addProperty(at, field, field);
}

/** `attr_reader :name`: it gives what its variable holds. */
export function addProperty(at: At, given: SyntaxNode, node: SyntaxNode, isWritten = false): void {
  const name = nameGiven(given);
  const shape = at.reading.shapes[scopeAt(at).shape];
  if (!name || !shape?.space) return;
  const symbol = define(at, { name, kind: "property", node });
  const called = text(at, name);
  Object.assign(at.reading.symbols[symbol] as SymbolFact, {
    scope: at.scope,
    type: ["function", ["of", ["member", isOfClass(at) ? ["name", "class"] : ["this"], `@${called}`]], []],
  });
  const space = isOfClass(at) ? shape.space : instancesOf(shape.space);
  declare(at, space, called, ["symbol", symbol]);
  if (isWritten) declare(at, space, `${called}=`, ["symbol", symbol]);
}

/** The name that a symbol or a string is. */
export function nameGiven(node: SyntaxNode): SyntaxNode | undefined {
  if (node.type === "simple_symbol") return { ...node, start: node.start + 1 };
  return node.type === "string" ? node.children.find(({ type }) => type === "string_content") : undefined;
}

/** What `self` is bound to here: a class in its body and in its own methods, something made by it in the others. */
export function selfAt(at: At): "class" | "instance" | undefined {
  for (let { scope } = at; scope >= 0; scope = at.reading.scopes[scope]?.parent ?? -1) {
    const binding = at.reading.scopes[scope]?.names.get("self");
    if (binding) return binding[0] === "symbol" ? "class" : "instance";
  }
  return undefined;
}

/** Whether what is defined here is defined for the class itself: in `class << self`. */
export function isOfClass(at: At): boolean {
  return selfAt(at) === "instance";
}

/** A method that is made by a call: `alias_method :b, :a`, `define_method(:a) { … }`. */
export function addMethod(at: At, given: SyntaxNode | undefined, node: SyntaxNode): At | undefined {
  const name = given && (nameGiven(given) ?? (given.type === "identifier" ? given : undefined));
  const shape = at.reading.shapes[scopeAt(at).shape];
  if (!name || !shape?.space) return undefined;
  const symbol = define(at, { name, kind: "method", node, isCallable: true });
  declare(at, isOfClass(at) ? shape.space : instancesOf(shape.space), text(at, name), ["symbol", symbol]);
  const inner = inside(at, { symbol });
  bindName(inner, "self", ["value", null, null]);
  return inner;
}

/** `alias b a` */
export function readAlias(at: At, [to, from]: readonly (SyntaxNode | undefined)[], node: SyntaxNode): void {
  const inner = addMethod(at, to, node);
  const original = from && (nameGiven(from) ?? from);
  if (inner && original) use(inner, "reference", ["member", ["this"], text(at, original)], node);
}
