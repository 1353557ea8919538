import type { ExpressionFact } from "../../facts/facts.js";
import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import { eitherOf, elementOf, listOf, memberOf, ofNamed, ofType, unknownType } from "../facts-of.js";
import { expressionOf, isLocal, part, text, typeOf, type At, type Rules } from "../reading.js";

/** What an expression of Java leads to. */
export const expressions: Rules["expressions"] = {
  identifier: (at, node) => ["name", text(at, node)],
  this: () => ["this"],
  super: () => ["super"],
  field_access(at, node) {
    const [object, field] = [part(node, "object"), part(node, "field")];
    if (field?.type === "this" && object) return ["type", ["name", squeezed(at, object)]];
    return field ? memberOf(expressionOf(at, object), text(at, field)) : null;
  },
  method_invocation(at, node) {
    const callee = calleeOf(at, node);
    const given = part(node, "type_arguments")?.children.map((one) => typeOf(at, one) ?? unknownType);
    if (!callee) return null;
    return given && given.length > 0 ? ["call", callee, given] : ["call", callee];
  },
  object_creation_expression: (at, node) => ofType(typeOf(at, part(node, "type"))),
  array_creation_expression: (at, node) => ofType(listOf(typeOf(at, part(node, "type")))),
  array_access: (at, node) => elementOf(expressionOf(at, part(node, "array"))),
  cast_expression: (at, node) => ofType(typeOf(at, part(node, "type"))),
  parenthesized_expression: (at, node) => expressionOf(at, node.children[0]),
  assignment_expression: (at, node) => expressionOf(at, part(node, "right")),
  ternary_expression: (at, node) =>
    eitherOf([part(node, "consequence"), part(node, "alternative")].map((one) => expressionOf(at, one))),
  string_literal: () => ofNamed("String"),
  character_literal: () => ofNamed("char"),
  decimal_integer_literal: (at, node) => ofNamed(/l$/i.test(text(at, node)) ? "long" : "int"),
  hex_integer_literal: (at, node) => ofNamed(/l$/i.test(text(at, node)) ? "long" : "int"),
  decimal_floating_point_literal: (at, node) => ofNamed(/f$/i.test(text(at, node)) ? "float" : "double"),
  true: () => ofNamed("boolean"),
  false: () => ofNamed("boolean"),
  // What is joined to a text is a text.
  binary_expression: (_at, node) =>
    node.children.some(({ type }) => type === "string_literal") ? ofNamed("String") : null,
};

/** A name with its dots, and nothing else that may stand between them. */
export function squeezed(at: At, node: SyntaxNode): string {
  return text(at, node).replaceAll(/\s|@\w+/g, "");
}

export function calleeOf(at: At, node: SyntaxNode): ExpressionFact | null {
  const [object, name] = [part(node, "object"), part(node, "name")];
  if (!name) return null;
  const called = text(at, name);
  // A variable may go by the name of a method.
  if (!object) return isLocal(at, called) ? ["member", ["this"], called] : ["name", called];
  return memberOf(expressionOf(at, object), called);
}

export function argumentsOf(at: At, node: SyntaxNode): (ExpressionFact | null)[] {
  return (part(node, "arguments")?.children ?? []).map((one) => expressionOf(at, one));
}
