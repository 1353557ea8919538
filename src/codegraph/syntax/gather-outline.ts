import type { OutlinePart } from "../facts/facts.js";
import type { SyntaxNode } from "./syntax-tree.js";

/** The parts that nodes are, one after the other, without comments. A line can be in one part only: `a = 1; b = 2` is one. */
export function gatherOutline(nodes: readonly SyntaxNode[], partOf: (node: SyntaxNode) => OutlinePart): OutlinePart[] {
  const parts: OutlinePart[] = [];
  for (const node of nodes) {
    if (node.type.includes("comment")) continue;
    const next = partOf(node);
    const last = parts.at(-1);
    if (last && next.start <= last.end) {
      last.end = Math.max(last.end, next.end);
      delete last.parts;
    } else {
      parts.push(next);
    }
  }
  return parts;
}
