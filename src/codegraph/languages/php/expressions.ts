import type { ExpressionFact } from "../../facts/facts.js";
import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import { variableNow } from "../assign.js";
import { typeAround } from "../define.js";
import { eitherOf, elementOf, memberOf, ofNamed, ofType } from "../facts-of.js";
import { boundName, classNamed } from "./names.js";
import { expressionOf, isLocal, part, text, type At, type Rules } from "../reading.js";

/** What expressions of PHP lead to. */
export const expressions: Rules["expressions"] = {
  variable_name(at, node) {
    const name = text(at, node);
    return name === "$this" ? ["this"] : isLocal(at, name) ? variableNow(at, name) : null;
  },
  member_access_expression: propertyOf,
  nullsafe_member_access_expression: propertyOf,
  scoped_property_access_expression: propertyOf,
  class_constant_access_expression: constantOf,
  function_call_expression: callOf,
  member_call_expression: callOf,
  nullsafe_member_call_expression: callOf,
  scoped_call_expression: callOf,
  object_creation_expression(at, node) {
    const [made] = node.children;
    return isClassName(made) ? ofType(classNamed(at, made)) : null;
  },
  name: (at, node) => ["name", text(at, node)],
  qualified_name: (at, node) => ["name", boundName(at, text(at, node))],
  parenthesized_expression: (at, node) => expressionOf(at, node.children[0]),
  assignment_expression: (at, node) => expressionOf(at, part(node, "right")),
  clone_expression: (at, node) => expressionOf(at, node.children[0]),
  subscript_expression: (at, node) => elementOf(expressionOf(at, node.children[0])),
  conditional_expression: (at, node) =>
    eitherOf([part(node, "body"), part(node, "alternative")].map((one) => expressionOf(at, one))),
  binary_expression(at, node) {
    const [left, right] = [part(node, "left"), part(node, "right")];
    const isElse = left && right && at.reading.source.slice(left.end, right.start).includes("??");
    return isElse ? eitherOf([expressionOf(at, left), expressionOf(at, right)]) : null;
  },
  string: () => ofNamed("string"),
  encapsed_string: () => ofNamed("string"),
};

/** Whether it is the name of a class, `self` and the like among them. */
export function isClassName(node: SyntaxNode | undefined): node is SyntaxNode {
  return node !== undefined && ["name", "qualified_name", "relative_name", "relative_scope"].includes(node.type);
}

/** The class that `::` is asked of. Static and other methods share their names, so it is as good as one made by it. */
function ownerOf(at: At, node: SyntaxNode | undefined): ExpressionFact | null {
  return isClassName(node) ? ofType(classNamed(at, node)) : expressionOf(at, node);
}

function propertyOf(at: At, node: SyntaxNode): ExpressionFact | null {
  const [object, scope, name] = [part(node, "object"), part(node, "scope"), part(node, "name")];
  if (!name || !/^(?:name|variable_name)$/.test(name.type) || (object && name.type !== "name")) return null;
  const owner = object ? expressionOf(at, object) : ownerOf(at, scope);
  return memberOf(owner, object ? `$${text(at, name)}` : text(at, name));
}

/** `Store::LIMIT` */
export function constantOf(at: At, node: SyntaxNode): ExpressionFact | null {
  const [owner, name] = node.children;
  if (!isClassName(owner) || name?.type !== "name") return null;
  const type = classNamed(at, owner);
  const named = type?.[0] === "name" && type[1] === "this" ? typeAround(at) : type;
  if (named?.[0] === "of") return memberOf(named[1], text(at, name));
  return named?.[0] === "name" ? ["member", ["name", named[1]], text(at, name)] : null;
}

/** What is called. */
export function calleeOf(at: At, node: SyntaxNode): ExpressionFact | null {
  const [called, name] = [part(node, "function"), part(node, "name")];
  if (called?.type === "name") return ["name", text(at, called)];
  if (called?.type === "relative_name") return ["name", boundName(at, text(at, called))];
  if (called) return expressionOf(at, called);
  const scope = part(node, "scope");
  const owner = scope ? ownerOf(at, scope) : expressionOf(at, part(node, "object"));
  return name?.type === "name" ? memberOf(owner, text(at, name)) : null;
}

function callOf(at: At, node: SyntaxNode): ExpressionFact | null {
  const callee = calleeOf(at, node);
  return callee && ["call", callee];
}
