import type { ExpressionFact, TypeFact } from "../../facts/facts.js";
import type { Draft } from "./draft.js";
import { child, children, keyOf, type Node } from "./estree.js";
import { readType } from "./types.js";

/** What is known of a value that is taken apart. */
export interface Given {
  type: TypeFact | null;
  init: ExpressionFact | null;
}

/**
 * Goes through `{ a, b: [c] }`: each name with where its value comes from. What is written as a default is read. Returns the
 * type that is stated for the whole.
 */
export function readPattern(
  draft: Draft,
  node: Node | undefined,
  scope: number,
  given: Given,
  bind: (name: string, given: Given) => void,
): TypeFact | null {
  if (!node) return null;
  const type = readType(draft, child(node.typeAnnotation), scope) ?? given.type;
  const whole: ExpressionFact | null = type ? ["type", type] : given.init;
  switch (node.type) {
    case "Identifier":
      bind(node.name as string, { type, init: given.init });
      return type;
    case "AssignmentPattern": {
      const right = child(node.right);
      const fallback = right ? draft.readExpression(right, scope) : null;
      return readPattern(draft, child(node.left), scope, { type, init: oneOf(given.init, fallback) }, bind);
    }
    case "RestElement":
      return readPattern(draft, child(node.argument), scope, { type, init: given.init }, bind);
    case "ObjectPattern":
      for (const property of children(node.properties)) {
        if (property.type === "RestElement") {
          readPattern(draft, child(property.argument), scope, { type: null, init: whole }, bind);
          continue;
        }
        const name = keyOf(property);
        const key = child(property.key);
        if (property.computed === true && key) draft.readExpression(key, scope);
        const init: ExpressionFact | null = whole && name !== undefined ? ["member", whole, name] : null;
        readPattern(draft, child(property.value), scope, { type: null, init }, bind);
      }
      return type;
    case "ArrayPattern":
      for (const element of children(node.elements)) {
        const init: ExpressionFact | null = !whole || element.type === "RestElement" ? whole : ["element", whole];
        readPattern(draft, element, scope, { type: null, init }, bind);
      }
      return type;
    // `[a.b] = …`: nothing is declared, something is used.
    default:
      draft.readExpression(node, scope);
      return type;
  }
}

/** One of two, as far as they are known. */
export function oneOf(first: ExpressionFact | null, second: ExpressionFact | null): ExpressionFact | null {
  return first && second ? ["either", [first, second]] : (first ?? second);
}

/** The names that a pattern declares. */
export function namesIn(node: Node | undefined): Node[] {
  if (!node) return [];
  switch (node.type) {
    case "Identifier":
      return [node];
    case "AssignmentPattern":
      return namesIn(child(node.left));
    case "RestElement":
      return namesIn(child(node.argument));
    case "ObjectPattern":
      return children(node.properties).flatMap((one) => namesIn(one.type === "RestElement" ? one : child(one.value)));
    case "ArrayPattern":
      return children(node.elements).flatMap(namesIn);
    default:
      return [];
  }
}
