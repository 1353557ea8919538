import type { ExpressionFact } from "../../facts/facts.js";
import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import { calleeOf, elementOf, positional, type ScopeContext } from "./expressions.js";
import { part, textOf } from "./reading.js";

/** What a lambda that is an argument of a call gets as a parameter. */
export function givenToCallback(
  at: ScopeContext,
  call: SyntaxNode,
  lambda: SyntaxNode,
  parameter: number,
): ExpressionFact | null {
  const callee = part(call, "function");
  const given = positional(call);
  const name = callee?.type === "identifier" ? textOf(at.reading, callee) : "";
  if (parameter === 0 && /^(sorted|min|max)$/.test(name)) return elementOf(at, given[0]);
  if (/^(map|filter)$/.test(name)) return elementOf(at, given[parameter + 1]);
  const attribute = callee?.type === "attribute" ? part(callee, "attribute") : undefined;
  if (callee && attribute && parameter === 0 && textOf(at.reading, attribute) === "sort") {
    return elementOf(at, part(callee, "object"));
  }
  const called = calleeOf(at, call);
  const argument = given.indexOf(lambda);
  return called && argument >= 0 ? ["given", called, argument, parameter] : null;
}
