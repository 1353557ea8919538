import { lineAt } from "../syntax/read-syntax.js";
import { openSyntaxParser, type SyntaxNode } from "../syntax/syntax-tree.js";
import { finish } from "./finish.js";
import type { Extract } from "./language.js";
import { outlineOf } from "./outline-of.js";
import { beginReading, visitAll, type Rules } from "./reading.js";

/** Opens what reads a language by its rules. */
export async function readByRules(rules: Rules): Promise<Extract> {
  const parser = await openSyntaxParser(rules.grammar);
  return (path, written) => {
    const source = rules.prepare?.(written) ?? written;
    const { root, firstError } = parser.parse(source);
    const reading = beginReading(path, source, rules);
    const at = { reading, scope: 0 };
    dropComments(root);
    rules.begin?.(at, root);
    visitAll(at, root.children);
    return {
      facts: finish(reading),
      outline: outlineOf(reading, root.children),
      ...(firstError !== undefined && { firstErrorLine: lineAt(reading, firstError) }),
    };
  };
}

/** Comments may stand anywhere, between arguments too, and no rule is to count them. */
function dropComments(node: SyntaxNode): void {
  if (node.children.some(isComment)) node.children = node.children.filter((child) => !isComment(child));
  for (const child of node.children) dropComments(child);
}

function isComment({ type }: SyntaxNode): boolean {
  return type === "comment" || type === "line_comment" || type === "block_comment";
}
