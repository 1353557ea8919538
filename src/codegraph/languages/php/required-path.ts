import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import { part, text, type At } from "../reading.js";

/** The path that `require` is given, as far as it is written out: `__DIR__ . '/a.php'` is `./a.php`. */
export function pathWritten(at: At, node: SyntaxNode | undefined): string | undefined {
  if (!node) return undefined;
  switch (node.type) {
    case "string":
    case "encapsed_string":
      return node.children.every(({ type }) => type === "string_content") ? text(at, node).slice(1, -1) : undefined;
    case "parenthesized_expression":
      return pathWritten(at, node.children[0]);
    case "name":
      return text(at, node).toUpperCase() === "__DIR__" ? "." : undefined;
    case "binary_expression": {
      const [left, right] = [pathWritten(at, part(node, "left")), pathWritten(at, part(node, "right"))];
      return left === undefined || right === undefined ? undefined : left + right;
    }
    case "function_call_expression":
      return folderWritten(at, node);
  }
  return undefined;
}

/** `dirname(__FILE__)`, `dirname(__DIR__, 2)` */
function folderWritten(at: At, node: SyntaxNode): string | undefined {
  const [of, levels] = (part(node, "arguments")?.children ?? []).map(({ children: [value] }) => value);
  if (text(at, part(node, "function") ?? node) !== "dirname" || !of) return undefined;
  const count = levels ? Number(text(at, levels)) : 1;
  const isFile = of.type === "name" && text(at, of).toUpperCase() === "__FILE__";
  const inner = isFile ? "." : pathWritten(at, of);
  return inner === undefined || !(count >= 1 && count < 32)
    ? undefined
    : inner + "/..".repeat(isFile ? count - 1 : count);
}
