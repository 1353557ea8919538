import type { ExpressionFact, MemberFact } from "../../facts/facts.js";
import { openClass, readClass } from "./classes.js";
import { addShape, addSymbol, shapeAt, type Draft } from "./draft.js";
import { bare, child, children, keyOf, type Node } from "./estree.js";
import { heldBy, readFunction } from "./functions.js";

/**
 * An object that is written out, as a shape. Its methods are symbols of what is around it; `within` is what they are called
 * by besides that: the variable that holds it. A loose one is handed over and nobody can ask for its members, unless it has
 * methods that do: without them it is read and no shape, -1.
 */
export function readObject(
  draft: Draft,
  node: Node,
  scope: number,
  within = "",
  expected?: ExpressionFact,
  isLoose = false,
): number {
  const properties = children(node.properties);
  const isShape = !isLoose || properties.some(hasThis);
  const shape = isShape ? addShape(draft, { symbol: -1, kind: "object", scope }) : -1;
  const members = isShape ? shapeAt(draft, shape).members : undefined;
  const spread: ExpressionFact[] = [];
  for (const property of properties) {
    if (property.type !== "Property") {
      const argument = child(property.argument);
      const from = argument ? draft.readExpression(argument, scope) : null;
      if (from) spread.push(from);
      continue;
    }
    const name = keyOf(property);
    const key = child(property.key);
    if (property.computed === true && key) draft.readExpression(key, scope);
    const wanted: ExpressionFact | undefined = expected && name !== undefined ? ["member", expected, name] : undefined;
    const fact = readProperty(draft, property, { name, scope, shape, within, wanted });
    if (name === undefined || !members) continue;
    if (members.get(name)?.isGetter) fact.isGetter = true;
    members.set(name, fact);
  }
  if (spread.length > 0 && isShape) shapeAt(draft, shape).extends = spread;
  return shape;
}

function hasThis({ value }: Node): boolean {
  const held = heldBy(child(value));
  return held !== undefined && held.type !== "ArrowFunctionExpression";
}

interface PropertyContext {
  name: string | undefined;
  scope: number;
  shape: number;
  within: string;
  /** What it is said to be by what the object is said to be. */
  wanted: ExpressionFact | undefined;
}

function readProperty(
  draft: Draft,
  property: Node,
  { name, scope, shape, within, wanted }: PropertyContext,
): MemberFact {
  const value = child(property.value);
  const held = heldBy(value);
  if (held && name !== undefined) {
    const isAccessor = property.kind === "get" || property.kind === "set";
    const known = isAccessor ? shapeAt(draft, shape).members.get(name)?.symbol : undefined;
    const kind = held.type === "ClassExpression" ? "class" : "method";
    const definition = { name, kind, whole: property, node: property, id: child(property.key), scope, within } as const;
    const symbol = known ?? addSymbol(draft, { ...definition, isCallable: true });
    if (held.type === "ClassExpression") readClass(draft, held, { ...openClass(draft, held, symbol, scope), symbol });
    else readFunction(draft, held, { scope, symbol, shape, given: wanted && ((number) => ["taken", wanted, number]) });
    return { symbol, ...(property.kind === "get" && { isGetter: true }) };
  }
  const inner = bare(value);
  if (inner?.type === "ObjectExpression") {
    const path = [within, name ?? ""].filter((part) => part !== "").join(".");
    return { init: ["shape", readObject(draft, inner, scope, path, wanted, shape < 0)] };
  }
  const init = value ? draft.readExpression(value, scope) : null;
  return init ? { init } : {};
}
