import type { ExpressionFact } from "../../facts/facts.js";
import { openClass, readClass } from "./classes.js";
import { addShape, addSymbol, lookUp, scopeAt, scopeOf, shapeAt, staticsAt, symbolAt, type Draft } from "./draft.js";
import { bare, child, children, keyOf, nameOf, type Node } from "./estree.js";
import { heldBy, readFunction } from "./functions.js";
import { readObject } from "./read-object.js";

/** Reads `a = b`. Functions that are assigned to a property are symbols, and what CommonJS assigns is exported. */
export function readAssignment(draft: Draft, node: Node, scope: number): ExpressionFact | null {
  const left = bare(child(node.left));
  const right = child(node.right);
  if (!left || !right) return null;
  if (left.type === "MemberExpression" && node.operator === "=") {
    const path = pathOf(left);
    const exported = exportOf(path);
    if (exported !== undefined && isFree(draft, scope, path[0])) return assignExport(draft, node, scope, exported);
    if (path.length > 1 && heldBy(right)) return assignHeld(draft, node, scope, path);
  }
  const value = draft.readExpression(right, scope);
  if (left.type !== "Identifier") draft.readExpression(left, scope);
  if (value) noteValue(draft, left, scope, value);
  return value;
}

/** `a.b.c` as names; empty where something else is among them. */
function pathOf(node: Node | undefined): string[] {
  if (node?.type === "Identifier") return [node.name as string];
  if (node?.type === "ThisExpression") return ["this"];
  if (node?.type !== "MemberExpression" || node.computed === true) return [];
  const path = pathOf(bare(child(node.object)));
  return path.length === 0 ? [] : [...path, nameOf(child(node.property)) ?? ""];
}

/** What `exports.a`, `module.exports.a` and `module.exports` export; the last is `default`. */
function exportOf(path: readonly string[]): string | undefined {
  const [first, second, third] = path;
  if (first === "exports") return path.length === 2 ? second : undefined;
  if (first !== "module" || second !== "exports") return undefined;
  return path.length === 2 ? "default" : path.length === 3 ? third : undefined;
}

function isFree(draft: Draft, scope: number, name: string | undefined): boolean {
  return name !== undefined && lookUp(draft, scope, name) === undefined;
}

function assignExport(draft: Draft, node: Node, scope: number, name: string): ExpressionFact | null {
  const right = child(node.right) as Node;
  const value = bare(right) as Node;
  if (value.type === "Identifier") {
    draft.exports.set(name, ["local", value.name as string]);
    return ["name", value.name as string];
  }
  if (value.type === "AssignmentExpression") {
    const inner = draft.readExpression(value, scope);
    if (inner) draft.exports.set(name, ["value", inner]);
    return inner;
  }
  const held = heldBy(right);
  const isObject = value.type === "ObjectExpression";
  if (!held && !(name === "default" && isObject)) {
    const init = draft.readExpression(value, scope);
    draft.exports.set(name, ["value", init ?? ["either", []]]);
    return init;
  }
  // Nothing else can be called that, so that what is exported can be looked up like everything else.
  const local = name === "default" ? "default" : `exports.${name}`;
  const kind = held?.type === "ClassExpression" ? "class" : held ? "function" : "variable";
  const own = name === "default" ? (nameOf(child(held?.id)) ?? name) : name;
  const definition = { name: own, kind, whole: node, node, id: child(child(node.left)?.property), scope } as const;
  const symbol = addSymbol(draft, { ...definition, isCallable: held !== undefined });
  scopeAt(draft, 0).names.set(local, ["symbol", symbol]);
  draft.exports.set(name, ["local", local]);
  if (held) readHeld(draft, held, { symbol, scope });
  else exportProperties(draft, value, symbol, scope);
  return ["name", local];
}

/** `module.exports = { a, b }`: each of them is exported too. */
function exportProperties(draft: Draft, object: Node, symbol: number, scope: number): void {
  const inner = scopeOf(draft, object, symbol, scope);
  const shape = readObject(draft, object, inner);
  Object.assign(symbolAt(draft, symbol), { init: ["shape", shape], scope: inner });
  shapeAt(draft, shape).symbol = symbol;
  for (const property of children(object.properties)) {
    const name = keyOf(property);
    const value = child(property.value);
    if (property.type !== "Property" || name === undefined || !value) continue;
    const isLocal = value.type === "Identifier" && scope === 0;
    draft.exports.set(name, isLocal ? ["local", value.name as string] : ["value", ["member", ["shape", shape], name]]);
  }
}

/** `Store.open = () => …`, `Store.prototype.read = function …`, `this.read = () => …`. */
function assignHeld(draft: Draft, node: Node, scope: number, path: string[]): ExpressionFact | null {
  const held = heldBy(child(node.right)) as Node;
  const name = path.at(-1) ?? "";
  const owner = path[0] === "this" ? scopeAt(draft, scope).shape : shapeOf(draft, scope, path[0] ?? "");
  const named = owner < 0 ? -1 : shapeAt(draft, owner).symbol;
  const parent = named < 0 ? undefined : named;
  const isPrototype = path.length === 3 && path[1] === "prototype";
  // What lies deeper is called by the whole of it: `app.routes.find = …` is `app.routes.find`.
  const between = path.slice(1, -1).filter(() => !isPrototype);
  const within = [...(parent === undefined && path[0] !== "this" ? path.slice(0, 1) : []), ...between].join(".");
  const kind = held.type === "ClassExpression" ? "class" : "method";
  const id = child(bare(child(node.left))?.property);
  const definition = { name, kind, whole: node, node, id, scope, within, isCallable: true } as const;
  const symbol = addSymbol(draft, { ...definition, ...(parent !== undefined && { parent }) });
  if (owner >= 0 && (path.length === 2 || isPrototype)) {
    const { kind: shapeKind, members } = shapeAt(draft, owner);
    const isStatic = shapeKind === "class" && !isPrototype && path[0] !== "this";
    const list = isStatic ? staticsAt(draft, owner) : members;
    if (!list.get(name)?.symbol) list.set(name, { ...list.get(name), symbol });
  }
  readHeld(draft, held, { symbol, scope, shape: isPrototype || path[0] === "this" ? owner : -1 });
  return null;
}

/** The shape that a name has by itself; a function gets one when something is hung on it. */
function shapeOf(draft: Draft, scope: number, name: string): number {
  const binding = lookUp(draft, scope, name)?.binding;
  if (binding?.[0] === "value" && binding[2]?.[0] === "shape") return binding[2][1];
  if (binding?.[0] !== "symbol") return -1;
  const symbol = binding[1];
  const { init, kind } = symbolAt(draft, symbol);
  if (init?.[0] === "shape") return init[1];
  const known = draft.shapes.findIndex((shape) => shape.symbol === symbol && shape.kind !== "object");
  return known >= 0 || kind !== "function" ? known : addShape(draft, { symbol, kind: "class", scope: 0 });
}

function readHeld(
  draft: Draft,
  held: Node,
  { symbol, scope, shape = -1 }: { symbol: number; scope: number; shape?: number },
): void {
  if (held.type === "ClassExpression") readClass(draft, held, { ...openClass(draft, held, symbol, scope), symbol });
  else readFunction(draft, held, { scope, symbol, shape });
}

/** A variable that began as nothing is what it is given first; so is a property of `this` that the class does not declare. */
function noteValue(draft: Draft, left: Node, scope: number, value: ExpressionFact): void {
  if (left.type === "Identifier") {
    const binding = lookUp(draft, scope, left.name as string)?.binding;
    if (binding?.[0] === "value" && !binding[1] && !binding[2]) binding[2] = value;
    if (binding?.[0] !== "symbol") return;
    const symbol = symbolAt(draft, binding[1]);
    if (symbol.kind === "variable" && !symbol.type && !symbol.init) Object.assign(symbol, { init: value, scope });
    return;
  }
  const { shape } = scopeAt(draft, scope);
  const [first, name, ...rest] = pathOf(left);
  if (first !== undefined && first !== "this" && name !== undefined && rest.length === 0) {
    hang(draft, scope, [first, name], value);
    return;
  }
  if (first !== "this" || name === undefined || rest.length > 0 || shape < 0) return;
  const { members, kind } = shapeAt(draft, shape);
  const known = members.get(name);
  if (
    known
      ? known.type || known.init || (known.symbol !== undefined && symbolAt(draft, known.symbol).isCallable)
      : kind !== "class"
  )
    return;
  members.set(name, { ...known, init: value, scope });
}

/** `Menu.Item = MenuItem`: on a function or a class of the module, where it is not said what that is. */
function hang(draft: Draft, scope: number, [owner, name]: [string, string], value: ExpressionFact): void {
  const binding = lookUp(draft, scope, owner)?.binding;
  if (binding?.[0] !== "symbol" || !/^(?:function|class)$/.test(symbolAt(draft, binding[1]).kind)) return;
  const shape = shapeOf(draft, scope, owner);
  if (shape < 0) return;
  const statics = staticsAt(draft, shape);
  if (!statics.has(name)) statics.set(name, { init: value, scope });
}
