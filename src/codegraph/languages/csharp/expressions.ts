import type { ExpressionFact } from "../../facts/facts.js";
import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import { eitherOf, indexOf, listOf, memberOf, ofNamed, ofType, unknownType, valueOf } from "../facts-of.js";
import { child, expressionOf, isLocal, part, text, typeOf, type At, type Rules } from "../reading.js";

/** What an expression of C# leads to. */
export const expressions: Rules["expressions"] = {
  identifier: (at, node) => ["name", text(at, node)],
  // As the left of a dot it is a type; a method that is called so is `calleeOf`.
  generic_name: (at, node) => valueOf(typeOf(at, node)),
  qualified_name: (at, node) => valueOf(typeOf(at, node)),
  alias_qualified_name: (at, node) => expressionOf(at, part(node, "name")),
  predefined_type: (at, node) => ["name", text(at, node)],
  this: () => ["this"],
  base: () => ["super"],
  member_access_expression(at, node) {
    const name = part(node, "name");
    return name ? memberOf(objectOf(at, node), nameOf(at, name)) : null;
  },
  conditional_access_expression(at, node) {
    const [condition, bound] = node.children;
    const object = expressionOf(at, condition);
    if (bound?.type === "element_binding_expression") return indexOf(object);
    const name = bound?.type === "member_binding_expression" ? part(bound, "name") : undefined;
    return name ? memberOf(object, nameOf(at, name)) : null;
  },
  invocation_expression: callOf,
  element_access_expression: (at, node) => indexOf(expressionOf(at, part(node, "expression"))),
  object_creation_expression: (at, node) => ofType(typeOf(at, part(node, "type"))),
  array_creation_expression: (at, node) => ofType(typeOf(at, part(node, "type")) ?? listOf(null)),
  cast_expression: (at, node) => ofType(typeOf(at, part(node, "type"))),
  as_expression: (at, node) => ofType(typeOf(at, part(node, "right"))),
  await_expression: (at, node) => expressionOf(at, node.children[0]),
  parenthesized_expression: (at, node) => expressionOf(at, node.children[0]),
  postfix_unary_expression: (at, node) => expressionOf(at, node.children[0]),
  checked_expression: (at, node) => expressionOf(at, node.children[0]),
  assignment_expression: (at, node) => expressionOf(at, part(node, "right")),
  conditional_expression: (at, node) =>
    eitherOf([part(node, "consequence"), part(node, "alternative")].map((one) => expressionOf(at, one))),
  binary_expression(at, node) {
    if (node.children.some(({ type }) => type.includes("string"))) return ofNamed("string");
    // `a ?? b`; of `a + b` nothing is known.
    const [left, right] = [part(node, "left"), part(node, "right")];
    const between = left && right ? at.reading.source.slice(left.end, right.start) : "";
    return between.includes("??") ? eitherOf([expressionOf(at, left), expressionOf(at, right)]) : null;
  },
  string_literal: () => ofNamed("string"),
  verbatim_string_literal: () => ofNamed("string"),
  interpolated_string_expression: () => ofNamed("string"),
  character_literal: () => ofNamed("char"),
  integer_literal: (at, node) => ofNamed(/l$/i.test(text(at, node)) ? "long" : "int"),
  real_literal: (at, node) => ofNamed(/f$/i.test(text(at, node)) ? "float" : "double"),
  boolean_literal: () => ofNamed("bool"),
};

/** What stands left of a dot: `this` and `base` are words of the language, and no nodes. */
function objectOf(at: At, node: SyntaxNode): ExpressionFact | null {
  const object = part(node, "expression");
  if (object) return expressionOf(at, object);
  return /^base\b/.test(text(at, node)) ? ["super"] : ["this"];
}

/** The name of a member, without the types that it takes. */
function nameOf(at: At, node: SyntaxNode): string {
  return text(at, child(node, "identifier") ?? node);
}

/** What a call leads to, and by which name. */
export function calleeOf(
  at: At,
  node: SyntaxNode | undefined,
): { called: ExpressionFact | null; name: string | undefined } {
  if (node?.type === "identifier" || node?.type === "generic_name") {
    const name = nameOf(at, node);
    // A variable that is called holds a function, unless a method goes by its name.
    return {
      called: isLocal(at, name) && node.type === "generic_name" ? ["member", ["this"], name] : ["name", name],
      name,
    };
  }
  const called = expressionOf(at, node);
  return { called, name: called?.[0] === "member" ? called[2] : undefined };
}

export function callOf(at: At, node: SyntaxNode): ExpressionFact | null {
  const callee = part(node, "function");
  const { called } = calleeOf(at, callee);
  const list = child(callee?.type === "generic_name" ? callee : part(callee ?? node, "name"), "type_argument_list");
  const given = (list?.children ?? []).map((one) => typeOf(at, one) ?? unknownType);
  if (!called) return null;
  return given.length > 0 ? ["call", called, given] : ["call", called];
}

export function argumentsOf(at: At, list: SyntaxNode | undefined): (ExpressionFact | null)[] {
  return (list?.children ?? []).map((one) => expressionOf(at, one.children.at(-1)));
}
