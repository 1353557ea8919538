import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import type { Node } from "./estree.js";

/** Turns the nodes of tree-sitter's grammars into those of ESTree. */
export interface Translation {
  source: string;
  node(from: SyntaxNode): Node;
}

/** How nodes become others, by the type they have in the grammar. */
export type Rules = Record<string, (from: SyntaxNode, to: Translation) => Node>;

/** A node as far as it is there: `undefined` stays what it is. */
export function translated(to: Translation, from: SyntaxNode | undefined): Node | undefined {
  return from && to.node(from);
}

export function make(from: SyntaxNode, type: string, fields: Record<string, unknown> = {}): Node {
  return { type, start: from.start, end: endOf(from), ...fields };
}

/** Where no semicolon ends a statement, the grammar lets it run on to the end of the comment behind it. */
function endOf(from: SyntaxNode): number {
  const last = from.children.at(-1);
  if (last?.type !== "comment" || last.end !== from.end) return from.end;
  return from.children.findLast(({ type }) => type !== "comment")?.end ?? from.end;
}

/** The child that has a part of its own. */
export function part(from: SyntaxNode | undefined, field: string): SyntaxNode | undefined {
  return from?.children.find((one) => one.field === field);
}

export function ofType(from: SyntaxNode | undefined, type: string): SyntaxNode | undefined {
  return from?.children.find((one) => one.type === type);
}

/** The children without comments. */
export function parts(from: SyntaxNode | undefined): SyntaxNode[] {
  return from?.children.filter(({ type }) => type !== "comment" && type !== "html_comment") ?? [];
}

export function translateAll(to: Translation, from: SyntaxNode | undefined): Node[] {
  return parts(from).map((one) => to.node(one));
}

/** The text from where a node begins to one of its children: where `static`, `get` and `readonly` stand, which are no nodes. */
export function headOf(to: Translation, from: SyntaxNode, until: SyntaxNode | undefined): string {
  return to.source.slice(from.start, until?.start ?? from.end);
}

export function textOf(to: Translation, from: SyntaxNode): string {
  return to.source.slice(from.start, from.end);
}

export function identifier(to: Translation, from: SyntaxNode): Node {
  return make(from, "Identifier", { name: textOf(to, from) });
}

/** The name of a member: its key, and whether it is computed. */
export function keyed(to: Translation, from: SyntaxNode | undefined): { key?: Node; computed: boolean } {
  if (!from) return { computed: false };
  if (from.type === "computed_property_name") {
    const [inner] = parts(from);
    return { ...(inner && { key: to.node(inner) }), computed: true };
  }
  return { key: to.node(from), computed: false };
}

/** The parameters, type parameters, stated result and body of whatever has them. */
export function signature(to: Translation, from: SyntaxNode): Record<string, unknown> {
  const single = part(from, "parameter");
  return {
    typeParameters: translated(to, part(from, "type_parameters")),
    params: single ? [to.node(single)] : translateAll(to, part(from, "parameters")),
    returnType: translated(to, part(from, "return_type")),
    body: translated(to, part(from, "body")),
  };
}

export function decorators(to: Translation, from: readonly SyntaxNode[]): Node[] {
  return from
    .filter(({ type }) => type === "decorator")
    .map((one) => make(one, "Decorator", { expression: translateAll(to, one)[0] }));
}
