/**
 * A node of a program as ESTree and its TypeScript extension describe it. Both parsers make these; of the tree-sitter one
 * only the fields that are read here are there, and what it does not know is a node of type `Unknown` with its `children`.
 */
export interface Node {
  type: string;
  /** Places in the text, as JavaScript counts them. */
  start: number;
  end: number;
  [field: string]: unknown;
}

/** A parsed file. */
export interface Program {
  body: Node[];
  /** Where parsing failed first, as a place in the text. */
  firstError?: number;
}

/** A field that holds a node, or nothing. */
export function child(field: unknown): Node | undefined {
  return (field as Node | null | undefined) ?? undefined;
}

/** A field that holds a list of nodes; arrays and their patterns may have holes. */
export function children(field: unknown): Node[] {
  if (!Array.isArray(field)) return [];
  return field.includes(null) ? field.filter((one) => one !== null) : field;
}

/** What an identifier, a private name or a string says. */
export function nameOf(node: Node | undefined): string | undefined {
  if (!node) return undefined;
  switch (node.type) {
    case "Identifier":
    case "JSXIdentifier":
      return node.name as string;
    case "PrivateIdentifier":
      return `#${node.name as string}`;
    case "Literal":
      return typeof node.value === "string" || typeof node.value === "number" ? String(node.value) : undefined;
    default:
      return undefined;
  }
}

/** The name of a member, where it is written and not computed. */
export function keyOf(node: Node): string | undefined {
  const key = child(node.key);
  return node.computed === true && key?.type !== "Literal" ? undefined : nameOf(key);
}

/** What stands in parentheses, behind `!`, `satisfies` or type arguments is what it is without them. */
export function bare(node: Node | undefined): Node | undefined {
  let inner = node;
  while (inner) {
    // Not a set: to look a type up in one, it has to be hashed, and every node has its own string.
    switch (inner.type) {
      case "ParenthesizedExpression":
      case "ChainExpression":
      case "TSNonNullExpression":
      case "TSSatisfiesExpression":
      case "TSInstantiationExpression":
        inner = child(inner.expression);
        break;
      default:
        return inner;
    }
  }
  return undefined;
}

export type FunctionNode = Node & { type: "ArrowFunctionExpression" | "FunctionExpression" };

export function isFunction(node: Node | undefined): node is FunctionNode {
  return node?.type === "ArrowFunctionExpression" || node?.type === "FunctionExpression";
}

/** What a string says that stands there in full. */
export function stringOf(node: Node | undefined): string | undefined {
  if (node?.type === "Literal" && typeof node.value === "string") return node.value;
  if (node?.type !== "TemplateLiteral" || children(node.expressions).length > 0) return undefined;
  const cooked = (children(node.quasis)[0]?.value as { cooked?: string } | undefined)?.cooked;
  return typeof cooked === "string" ? cooked : undefined;
}
