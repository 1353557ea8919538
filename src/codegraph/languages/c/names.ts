import type { TypeFact } from "../../facts/facts.js";
import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import { lastOf } from "./declarators.js";
import { listOf, unknownType } from "../facts-of.js";
import { part, text, typeOf, type At } from "../reading.js";

/** `a::b<int>::C`, with dots and without what templates are given, but the last. */
export function namedType(at: At, node: SyntaxNode): TypeFact | null {
  const last = lastOf(node);
  const name = dotted(at, node);
  if (last?.type !== "template_type") return name === "" ? null : ["name", name];
  const given = (part(last, "arguments")?.children ?? []).map((one) => typeOf(at, one) ?? unknownType);
  const [first = null] = given;
  if (/^(?:std\.)?(?:vector|deque|list|set|unordered_set|array|span|initializer_list)$/.test(name))
    return listOf(first);
  return ["name", name.replace(/^std\.(?:unordered_)?map$/, "map"), given];
}

export function dotted(at: At, node: SyntaxNode): string {
  const names: string[] = [];
  for (let one: SyntaxNode | undefined = node; one;) {
    const isPath: boolean = one.type === "qualified_identifier";
    const own: SyntaxNode | undefined = isPath ? part(one, "scope") : one;
    if (own?.type === "nested_namespace_specifier") names.push(...own.children.map((inner) => dotted(at, inner)));
    else if (own) names.push(text(at, part(own, "name") ?? own).replaceAll(/\s+/g, ""));
    one = isPath ? part(one, "name") : undefined;
  }
  return names.join(".");
}

export function isCast(at: At, callee: SyntaxNode | undefined): boolean {
  return callee?.type === "template_function" && /^(?:static|dynamic|const|reinterpret)_cast\b/.test(text(at, callee));
}
