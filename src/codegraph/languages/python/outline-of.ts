import type { OutlinePart } from "../../facts/facts.js";
import { gatherOutline } from "../../syntax/gather-outline.js";
import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import { lastLineOf, lineAt, part, textOf, type Reading } from "./reading.js";

/** How a file falls into statements, and these into those of their bodies. */
export function outlineOf(reading: Reading, block: SyntaxNode): OutlinePart[] {
  return gatherOutline(block.children, (node) => partOf(reading, node));
}

function partOf(reading: Reading, statement: SyntaxNode): OutlinePart {
  const node = statement.type === "decorated_definition" ? (part(statement, "definition") ?? statement) : statement;
  const name = node.type === "function_definition" || node.type === "class_definition" ? part(node, "name") : undefined;
  const start = lineAt(reading, statement.start) - 1;
  const end = lastLineOf(reading, statement) - 1;
  const parts = end > start ? blocksOf(node).flatMap((block) => outlineOf(reading, block)) : [];
  const ordered = parts.filter(({ start: at }, index) => index === 0 || at > (parts[index - 1]?.end ?? -1));
  const lines = (ordered.at(-1)?.end ?? 0) - (ordered[0]?.start ?? 0);
  return {
    start,
    end,
    kind: kindOf(node),
    ...(name && { name: textOf(reading, name) }),
    ...(ordered.length > 0 && lines > 0 && { parts: ordered }),
  };
}

function kindOf({ type }: SyntaxNode): OutlinePart["kind"] {
  if (type === "function_definition") return "function";
  if (type === "class_definition") return "class";
  return /import(_from)?_statement$/.test(type) ? "import" : "other";
}

/** The blocks of a compound statement, those of its `else` and `except` among them. */
function blocksOf(node: SyntaxNode): SyntaxNode[] {
  return node.children.flatMap((child) => {
    if (child.type === "block") return [child];
    return child.type.endsWith("_clause") ? blocksOf(child) : [];
  });
}
