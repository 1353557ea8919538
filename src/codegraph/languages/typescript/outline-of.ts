import type { OutlinePart } from "../../facts/facts.js";
import { bare, child, children, isFunction, keyOf, nameOf, type Node } from "./estree.js";
import { heldBy } from "./functions.js";

// Deeper than this nobody cuts.
const deepest = 12;

/** How statements fall into parts. */
export function outlineOf(statements: readonly Node[], lineOf: (place: number) => number): OutlinePart[] {
  return partsOf(statements, lineOf, 0);
}

function partsOf(nodes: readonly Node[], lineOf: (place: number) => number, depth: number): OutlinePart[] {
  const parts: OutlinePart[] = [];
  for (const node of nodes) {
    const [decorator] = children((child(node.declaration) ?? node).decorators);
    const start = lineOf(Math.min(node.start, decorator?.start ?? node.start)) - 1;
    const end = lineOf(Math.max(node.start, node.end - 1)) - 1;
    const last = parts.at(-1);
    // Two on one line are one part: lines are never cut.
    if (last && start <= last.end) {
      last.end = Math.max(last.end, end);
      if (end > start) delete last.parts;
      continue;
    }
    const { kind, name } = labelOf(node);
    const inner = end > start && depth < deepest ? partsOf(bodyOf(node), lineOf, depth + 1) : [];
    parts.push({ start, end, kind, ...(name !== undefined && { name }), ...(inner.length > 0 && { parts: inner }) });
  }
  return parts;
}

function labelOf(node: Node): { kind: OutlinePart["kind"]; name?: string | undefined } {
  switch (node.type) {
    case "ImportDeclaration":
    case "TSImportEqualsDeclaration":
    case "ExportAllDeclaration":
      return { kind: "import" };
    case "ExportNamedDeclaration": {
      const declaration = child(node.declaration);
      return declaration ? labelOf(declaration) : { kind: node.source ? "import" : "other" };
    }
    case "ExportDefaultDeclaration": {
      const { kind, name } = labelOf(child(node.declaration) ?? { ...node, type: "" });
      return { kind, name: name ?? "default" };
    }
    case "FunctionDeclaration":
    case "TSDeclareFunction":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      return { kind: "function", name: nameOf(child(node.id)) };
    case "ClassDeclaration":
    case "ClassExpression":
    case "TSInterfaceDeclaration":
      return { kind: "class", name: nameOf(child(node.id)) };
    case "TSTypeAliasDeclaration":
    case "TSEnumDeclaration":
    case "TSModuleDeclaration":
      return { kind: "other", name: nameOf(child(node.id)) };
    case "VariableDeclaration": {
      const [declarator] = children(node.declarations);
      return { kind: kindOf(child(declarator?.init)), name: nameOf(child(declarator?.id)) };
    }
    case "MethodDefinition":
    case "TSAbstractMethodDefinition":
    case "TSMethodSignature":
      return { kind: "function", name: keyOf(node) };
    case "PropertyDefinition":
    case "TSAbstractPropertyDefinition":
    case "Property":
      return { kind: kindOf(child(node.value)), name: keyOf(node) };
    default:
      return { kind: "other" };
  }
}

function kindOf(value: Node | undefined): OutlinePart["kind"] {
  const held = heldBy(value);
  return held ? (held.type === "ClassExpression" ? "class" : "function") : "other";
}

/** What a statement or a member consists of: statements, members, properties. */
function bodyOf(node: Node | undefined): Node[] {
  let inner = bare(node);
  let field = inner && holders.get(inner.type);
  while (inner && field !== undefined) {
    inner = bare(child(inner[field]));
    field = inner && holders.get(inner.type);
  }
  if (!inner) return [];
  switch (inner.type) {
    case "ClassBody":
    case "TSInterfaceBody":
    case "TSModuleBlock":
    case "BlockStatement":
    case "FunctionBody":
      return children(inner.body);
    case "CallExpression":
      return [child(inner.callee), ...children(inner.arguments)].flatMap(bodyOfArgument);
    case "VariableDeclaration":
      return children(inner.declarations).flatMap((one) => bodyOf(child(one.init)));
    case "ObjectExpression":
      return children(inner.properties);
    case "ArrayExpression":
      return children(inner.elements);
    case "NewExpression":
      return children(inner.arguments).flatMap(bodyOfArgument);
    case "IfStatement":
      return [inner.consequent, inner.alternate].flatMap((one) => bodyOf(child(one)));
    case "TryStatement":
      return [inner.block, child(inner.handler)?.body, inner.finalizer].flatMap((one) => bodyOf(child(one)));
    case "SwitchStatement":
      return children(inner.cases);
    case "SwitchCase":
      return children(inner.consequent);
    default:
      return [];
  }
}

// What has the parts of what it holds, and the field that holds it.
const holders = new Map([
  ["ArrowFunctionExpression", "body"],
  ["AssignmentExpression", "right"],
  ["AwaitExpression", "argument"],
  ["ClassDeclaration", "body"],
  ["ClassExpression", "body"],
  ["DoWhileStatement", "body"],
  ["ExportDefaultDeclaration", "declaration"],
  ["ExportNamedDeclaration", "declaration"],
  ["ExpressionStatement", "expression"],
  ["ForInStatement", "body"],
  ["ForOfStatement", "body"],
  ["ForStatement", "body"],
  ["FunctionDeclaration", "body"],
  ["FunctionExpression", "body"],
  ["LabeledStatement", "body"],
  ["MethodDefinition", "value"],
  ["Property", "value"],
  ["PropertyDefinition", "value"],
  ["ReturnStatement", "argument"],
  ["TSAsExpression", "expression"],
  ["TSInterfaceDeclaration", "body"],
  ["TSModuleDeclaration", "body"],
  ["WhileStatement", "body"],
]);

function bodyOfArgument(node: Node | undefined): Node[] {
  const inner = bare(node);
  return isFunction(inner) || inner?.type === "ObjectExpression" || inner?.type === "CallExpression"
    ? bodyOf(inner)
    : [];
}
