import { openSyntaxParser, type SyntaxNode, type SyntaxParser, type SyntaxTree } from "../../syntax/syntax-tree.js";
import type { Node, Program } from "./estree.js";
import { mendDeclarations, mendErrors } from "./mend-source.js";
import { expressionRules } from "./translate-expressions.js";
import { moduleRules } from "./translate-modules.js";
import { statementRules } from "./translate-statements.js";
import { typeRules } from "./translate-types.js";
import { make, parts, translateAll, type Rules, type Translation } from "./translation.js";

const rules = new Map<string, Rules[string]>(
  Object.entries({ ...typeRules, ...expressionRules, ...moduleRules, ...statementRules }),
);

/** tree-sitter: slower than oxc, works everywhere, and gets through any file. */
export async function loadTreeSitter(): Promise<(path: string, source: string) => Program> {
  const [typescript, tsx, javascript] = await Promise.all([
    openSyntaxParser("typescript"),
    openSyntaxParser("tsx"),
    openSyntaxParser("javascript"),
  ]);
  return (path, source) => {
    const parser = /\.[cm]?ts$/i.test(path) ? typescript : /\.tsx$/i.test(path) ? tsx : javascript;
    const { root, firstError } = parseMended(parser, source);
    return { body: translate(root, source), ...(firstError !== undefined && { firstError }) };
  };
}

function parseMended(parser: SyntaxParser, source: string): SyntaxTree {
  const text = mendDeclarations(source);
  const first = parser.parse(text);
  if (first.firstError === undefined) return first;
  const mended = mendErrors(text);
  if (mended === text) return first;
  const second = parser.parse(mended);
  return (second.firstError ?? Infinity) > first.firstError ? second : first;
}

function translate(root: SyntaxNode, source: string): Node[] {
  const to: Translation = {
    source,
    node: (from) => rules.get(from.type)?.(from, to) ?? make(from, "Unknown", { children: translateAll(to, from) }),
  };
  return parts(root)
    .filter(({ type }) => type !== "hash_bang_line")
    .map((one) => to.node(one));
}
