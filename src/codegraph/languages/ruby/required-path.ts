import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import { child, part, text, type At } from "../reading.js";

/** What `require` and its like name, as far as it is written out; what begins with `./` lies beside the file. */
export function pathRequired(at: At, method: string, given: readonly SyntaxNode[]): string | undefined {
  const path = written(at, given[method === "autoload" ? 1 : 0]);
  return path !== undefined && method === "require_relative" ? `./${path}` : path;
}

function written(at: At, node: SyntaxNode | undefined): string | undefined {
  if (node?.type === "string") {
    const [only, ...others] = node.children;
    return only?.type === "string_content" && others.length === 0 ? text(at, only) : undefined;
  }
  return node?.type === "call" ? fileWritten(at, node) : undefined;
}

/** `File.expand_path("../a", __FILE__)`, `File.join(__dir__, "a")` */
function fileWritten(at: At, node: SyntaxNode): string | undefined {
  const [first, second] = part(node, "arguments")?.children ?? [];
  const [receiver, method] = [part(node, "receiver"), part(node, "method")];
  if (!first || !second || !receiver || !method) return undefined;
  switch (`${text(at, receiver)}.${text(at, method)}`) {
    case "File.expand_path": {
      const [path, from] = [written(at, first), text(at, second)];
      if (path === undefined || !["__dir__", "__FILE__"].includes(from)) return undefined;
      // As seen from a file, `..` is its own folder.
      if (from === "__dir__") return `./${path}`;
      return path.startsWith("../") ? `./${path.slice("../".length)}` : undefined;
    }
    case "File.join": {
      const path = written(at, second);
      return text(at, first) === "__dir__" && path !== undefined ? `./${path}` : undefined;
    }
  }
  return undefined;
}

/** Whether a word is one by which a file asks for another. */
export function isRequire(at: At, node: SyntaxNode): boolean {
  const method = part(node, "method");
  return !part(node, "receiver") && method !== undefined && requires.has(text(at, method)) && isGiven(node);
}

const requires = new Set(["require", "require_relative", "load", "autoload"]);

function isGiven(node: SyntaxNode): boolean {
  return child(node, "argument_list") !== undefined;
}
