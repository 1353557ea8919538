import type { ExpressionFact } from "../../facts/facts.js";
import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import { use, type At } from "../reading.js";
import { calledHere, nameOf, pathOfNames } from "./names.js";

/**
 * Macros that take expressions. What stands in them is a list of tokens to the grammar; of other macros nobody knows what
 * they make of it.
 */
export const takesExpressions =
  /^(?:e?print(?:ln)?|format(?:_args)?|write(?:ln)?|panic|(?:debug_)?assert(?:_eq|_ne)?|vec|matches|dbg|todo|unreachable|bail|ensure|anyhow|trace|debug|info|warn|error)$/;

/** Finds calls among tokens: names with dots or `::` between them, and a list in parentheses right after. */
export function readTokens(at: At, tree: SyntaxNode): void {
  let what: ExpressionFact | null = null;
  let names: string[] = [];
  let end = tree.start;
  for (const node of tree.children) {
    const between = at.reading.source.slice(end, node.start).trim();
    end = node.end;
    // A closure has names of its own.
    if (/\|(?!\|)/.test(between.replaceAll("||", ""))) return;
    if (node.type === "token_tree") {
      const opening = at.reading.source[node.start];
      if (between === "" && opening === "(" && what) {
        if (what[0] !== "name" || !what[1].includes("~")) use(at, "call", what, node);
        what = ["call", what];
      } else {
        what = between === "" && opening === "[" && what ? ["element", what] : null;
      }
      names = [];
      readTokens(at, node);
    } else if (between === "." || between === "?.") {
      const object: ExpressionFact | null = what && between === "?." ? ["element", what] : what;
      const name = nameOf(at, node);
      what = object && name !== "await" ? ["member", object, name] : object;
      names = [];
    } else if (/^(?:identifier|self|super|crate)$/.test(node.type)) {
      names = between === "::" ? [...names, nameOf(at, node)] : [nameOf(at, node)];
      const [only = ""] = names;
      what = names.length > 1 ? pathOfNames(at, names) : ["name", calledHere(at, only)];
    } else {
      what = null;
      names = [];
    }
  }
}
