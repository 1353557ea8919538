import type { OutlinePart } from "../facts/facts.js";
import { gatherOutline } from "../syntax/gather-outline.js";
import { lastLineOf, lineAt, part, textOf } from "../syntax/read-syntax.js";
import type { SyntaxNode } from "../syntax/syntax-tree.js";
import type { Reading } from "./reading.js";

/** How a file falls into definitions, and these into those of their bodies. */
export function outlineOf(reading: Reading, nodes: readonly SyntaxNode[]): OutlinePart[] {
  return gatherOutline(nodes, (node) => partOf(reading, node));
}

function partOf(reading: Reading, node: SyntaxNode): OutlinePart {
  const { rules } = reading;
  // `export`, attributes and the like may stand around a definition.
  const inner = rules.outline[node.type] ? node : (node.children.find(({ type }) => rules.outline[type]) ?? node);
  const kind = rules.outline[inner.type] ?? "other";
  const name = part(inner, "name") ?? rules.nameOf?.(inner);
  const start = lineAt(reading, node.start) - 1;
  const end = lastLineOf(reading, node) - 1;
  const body = part(inner, "body") ?? part(inner, "declarations");
  const parts = body && end > start && kind !== "import" ? outlineOf(reading, body.children) : [];
  const lines = (parts.at(-1)?.end ?? 0) - (parts[0]?.start ?? 0);
  return {
    start,
    end,
    kind,
    ...(name && { name: textOf(reading, name) }),
    ...(parts.length > 0 && lines > 0 && (parts[0]?.start ?? 0) > start && { parts }),
  };
}
