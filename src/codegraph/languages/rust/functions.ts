import type { Named, TypeFact } from "../../facts/facts.js";
import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import { defineFunction, type Parameter } from "../define.js";
import { child, children, part, text, typeOf, visit, visitAll, type At } from "../reading.js";
import { nameOf, selfAt, setScope } from "./names.js";
import { bindPattern } from "./patterns.js";

interface Naming {
  name: SyntaxNode;
  kind: "function" | "method";
  owner?: string;
  parent?: number;
  /** Type parameters of the type that it belongs to. */
  outer?: readonly Named<TypeFact | null>[];
}

/** Adds a function or a method, and reads it. */
export function readFunction(at: At, node: SyntaxNode, { outer = [], ...naming }: Naming): number {
  const [list, body] = [part(node, "parameters"), part(node, "body")];
  const taken = children(list ?? emptyNode, "parameter", "self_parameter");
  const isSelf = (one: SyntaxNode) => one.type === "self_parameter" || part(one, "pattern")?.type === "self";
  const self = taken.some(isSelf) ? (selfAt(at) ?? null) : null;
  const rest = taken.filter((one) => !isSelf(one));
  const { at: inner, symbol } = defineFunction(at, {
    ...naming,
    node: wholeOf(node),
    variables: [...outer, ...variablesOf(at, node)],
    ...(self && { receiver: { name: "self", type: self } }),
    parameters: rest.map((one): Parameter => {
      const [pattern, type] = [part(one, "pattern"), typeOf(at, part(one, "type"))];
      return { type: type ?? ["name", "any"], ...(pattern?.type === "identifier" && { name: nameOf(at, pattern) }) };
    }),
    returns(within) {
      if (body) setScope(body, within);
      for (const one of rest) {
        const [pattern, type] = [part(one, "pattern"), typeOf(within, part(one, "type"))];
        if (pattern && pattern.type !== "identifier") bindPattern(within, pattern, type && ["type", type]);
      }
      return typeOf(within, part(node, "return_type"));
    },
    body,
  });
  for (const one of taken) visit(inner, part(one, "type"));
  visit(inner, part(node, "return_type"));
  visitTypes(inner, node);
  return symbol;
}

/** Type parameters, each with what is asked of it. */
export function variablesOf(at: At, node: SyntaxNode): Named<TypeFact | null>[] {
  const where = children(child(node, "where_clause") ?? emptyNode, "where_predicate");
  const written = children(part(node, "type_parameters") ?? emptyNode, "type_parameter");
  return written.map((one): Named<TypeFact | null> => {
    const name = text(at, part(one, "name") ?? emptyNode);
    const asked = where.filter((predicate) => text(at, part(predicate, "left") ?? emptyNode) === name);
    const types = [one, ...asked].map((of) => typeOf(at, part(of, "bounds"))).filter((type) => type !== null);
    return [name, types.length > 1 ? ["either", types] : (types[0] ?? null)];
  });
}

/** The types that bounds and fields name. */
export function visitTypes(at: At, node: SyntaxNode): void {
  const bounds = [part(node, "type_parameters"), part(node, "bounds"), child(node, "where_clause")];
  for (const list of bounds)
    visitAll(
      at,
      list?.type === "type_parameters"
        ? list.children.flatMap((one) => part(one, "bounds") ?? [])
        : (list?.children ?? []),
    );
  const body = part(node, "body");
  if (body?.type === "block" || body?.type === "declaration_list") return;
  for (const one of body?.children ?? []) {
    if (one.field === "type") visit(at, one);
    else if (one.type === "field_declaration") visit(at, part(one, "type"));
    else if (one.type === "enum_variant") visitTypes(at, one);
  }
}

const attributes = new WeakMap<SyntaxNode, SyntaxNode[]>();

/** Attributes stand before what they belong to. */
export function noteAttributes(nodes: readonly SyntaxNode[]): void {
  let waiting: SyntaxNode[] = [];
  for (const node of nodes) {
    if (node.type === "attribute_item") waiting.push(node);
    else if (!/comment/.test(node.type)) {
      if (waiting.length > 0) attributes.set(node, waiting);
      waiting = [];
    }
  }
}

/** A definition with its attributes. */
export function wholeOf(node: SyntaxNode): SyntaxNode {
  const [first] = attributes.get(node) ?? [];
  return first ? { ...node, start: first.start } : node;
}

export function attributeText(at: At, node: SyntaxNode): string {
  return (attributes.get(node) ?? []).map((one) => text(at, one)).join("\n");
}

export const emptyNode: SyntaxNode = { type: "", field: "", start: 0, end: 0, children: [] };
