import type { MemberFact, Named, SymbolFact, TypeFact } from "../../facts/facts.js";
import { extensionName } from "../../facts/extension-name.js";
import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import { addMember, define, defineFunction, type Parameter } from "../define.js";
import {
  bindValue,
  child,
  children,
  declare,
  homeOf,
  inside,
  part,
  scopeAt,
  text,
  typeOf,
  useType,
  visit,
  visitAll,
  type At,
} from "../reading.js";

/** The type parameters of a type or a method, each with its first constraint. */
export function variablesOf(at: At, node: SyntaxNode): Named<TypeFact | null>[] {
  const list = part(node, "type_parameters") ?? child(node, "type_parameter_list");
  const clauses = children(node, "type_parameter_constraints_clause");
  return children(list, "type_parameter").flatMap((one): Named<TypeFact | null>[] => {
    const name = part(one, "name");
    if (!name) return [];
    const clause = clauses.find(({ children: [first] }) => first && text(at, first) === text(at, name));
    const [bound] = children(clause, "type_parameter_constraint").flatMap((each) => part(each, "type") ?? []);
    return [[text(at, name), typeOf(at, bound)]];
  });
}

export function hasModifier(at: At, node: SyntaxNode, pattern: RegExp): boolean {
  return children(node, "modifier").some((one) => pattern.test(text(at, one)));
}

/** A member, which the other parts of a class that is written in several know as well. */
export function addPart(at: At, name: string, member: MemberFact, isStatic: boolean, shape = scopeAt(at).shape): void {
  addMember(at.reading, shape, name, member, isStatic);
  const space = at.reading.shapes[shape]?.space;
  if (space !== undefined && member.symbol !== undefined) declare(at, space, name, ["symbol", member.symbol]);
}

export function addField(
  at: At,
  node: SyntaxNode,
  whole: SyntaxNode,
  type: TypeFact | null,
  isStatic: boolean,
  shape = scopeAt(at).shape,
): number | undefined {
  const name = part(node, "name");
  if (!name) return undefined;
  const symbol = define(at, { name, kind: "property", node: whole });
  if (type) Object.assign(at.reading.symbols[symbol] as SymbolFact, { type, scope: at.scope });
  addPart(at, text(at, name), { symbol, ...(type && { type }) }, isStatic, shape);
  return symbol;
}

export function readFields(at: At, node: SyntaxNode): void {
  const list = child(node, "variable_declaration");
  const declarators = children(list, "variable_declarator");
  const type = list && part(list, "type");
  for (const one of declarators) {
    const whole = declarators.length === 1 ? node : one;
    const symbol = addField(at, one, whole, typeOf(at, type), hasModifier(at, node, /^(?:static|const)$/));
    visitAll(inside(at, symbol === undefined ? {} : { symbol }), one.children.slice(1));
  }
  visitAll(at, children(node, "attribute_list"));
  mentionType(at, type);
}

export function readProperty(at: At, node: SyntaxNode): void {
  const type = part(node, "type");
  const symbol = addField(at, node, node, typeOf(at, type), hasModifier(at, node, /^static$/));
  const [accessors, value] = [part(node, "accessors"), part(node, "value")];
  const hasBody = value?.type === "arrow_expression_clause" || accessors?.children.some((one) => part(one, "body"));
  if (symbol !== undefined && hasBody) (at.reading.symbols[symbol] as SymbolFact).isCallable = true;
  const inner = inside(at, symbol === undefined ? {} : { symbol });
  for (const { name, type: stated } of parametersOf(at, part(node, "parameters")))
    if (name) bindValue(inner, name, stated);
  if (hasBody) bindValue(inner, "value", typeOf(at, type));
  mentionType(at, type);
  visitAll(at, children(node, "attribute_list"));
  visitAll(inner, [accessors, value]);
}

export function readMethod(at: At, node: SyntaxNode): void {
  const name = part(node, "name");
  const symbol = readFunction(at, node, "method");
  if (!name || symbol === undefined || node.type !== "method_declaration") return;
  // What is said of an interface alone is called through it.
  if (child(node, "explicit_interface_specifier")) return;
  addPart(at, text(at, name), { symbol }, hasModifier(at, node, /^static$/));
  const [first] = children(part(node, "parameters"), "parameter");
  if (first && hasModifier(at, first, /^this$/))
    declare(at, homeOf(at), extensionName(text(at, name)), ["symbol", symbol]);
}

export function readFunction(at: At, node: SyntaxNode, kind: "function" | "method"): number | undefined {
  const name = part(node, "name");
  if (!name) return undefined;
  const [taken, result] = [part(node, "parameters"), part(node, "returns") ?? part(node, "type")];
  const { at: inner, symbol } = defineFunction(at, {
    node,
    name,
    kind,
    variables: variablesOf(at, node),
    parameters: parametersOf(at, taken),
    returns: (within) => typeOf(within, result),
    body: part(node, "body"),
  });
  for (const one of [result, ...(taken?.children ?? []).map((each) => part(each, "type"))]) mentionType(inner, one);
  visitAll(inner, children(node, "attribute_list", "constructor_initializer"));
  return symbol;
}

export function readOperator(at: At, node: SyntaxNode): void {
  const inner = inside(at);
  for (const { name, type } of parametersOf(at, part(node, "parameters"))) if (name) bindValue(inner, name, type);
  visit(inner, part(node, "body"));
}

export function parametersOf(at: At, list: SyntaxNode | undefined): Parameter[] {
  const all = children(list, "parameter").map((one): Parameter => {
    const name = part(one, "name");
    const type = typeOf(at, part(one, "type"));
    const isOptional = one.children.some(({ field, type: kind }) => field === "" && !/modifier|attribute/.test(kind));
    return { ...(name && { name: text(at, name) }), type, isOptional };
  });
  // `params` stands in the list itself.
  const [name, type] = [list && part(list, "name"), list && typeOf(at, part(list, "type"))];
  if (name) all.push({ name: text(at, name), type: type?.[0] === "array" ? type[1] : (type ?? null), isRest: true });
  return all;
}

export function mentionType(at: At, node: SyntaxNode | undefined): void {
  const type = typeOf(at, node);
  if (node && type) useType(at, type, node);
}

/** The types that a type or a method takes. */
export function mentionArguments(at: At, node: SyntaxNode | undefined): void {
  for (const one of child(node, "type_argument_list")?.children ?? []) mentionType(at, one);
}
