import type { ExpressionFact, TypeFact } from "../../facts/facts.js";
import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import { expressionOf, inside, part, text, typeOf, visit, type At } from "../reading.js";
import { namesIn, selfAt } from "./names.js";
import { bindPattern, numbered } from "./patterns.js";

/** What a call gives. */
export function callOf(at: At, node: SyntaxNode): ExpressionFact | null {
  const whole = part(node, "function");
  const callee = whole?.type === "generic_function" ? part(whole, "function") : whole;
  const given = argumentsOf(node);
  if (callee?.type !== "field_expression") {
    const names = namesIn(at, callee) ?? [];
    const made = names.slice(-2).join("::");
    if (made === "Self") return ["type", selfAt(at) ?? ["name", "any"]];
    if (passesOn.test(made)) return expressionOf(at, given[0]);
    if (holds.test(made)) {
      const held = expressionOf(at, given[0]);
      return held && ["type", ["name", "std.Option", [["of", held]]]];
    }
  }
  const what = expressionOf(at, callee);
  if (!what) return null;
  const stated = whole && whole !== callee ? part(whole, "type_arguments") : undefined;
  if (stated) return withStated(at, what, stated);
  const result = callee?.type === "field_expression" ? resultOfCallback(at, node, callee, given) : null;
  return result ? ["call", what, [["of", result]]] : ["call", what];
}

const passesOn = /^(?:(?:Box|Rc|Arc|Cow|Pin)::(?:new|clone|pin|from|Borrowed|Owned)|mem::(?:take|replace))$/;
const holds = /^(?:Some|Ok|(?:RefCell|Mutex|RwLock|OnceCell)::new)$/;

/** `collect::<Vec<_>>()` gathers what there is; what else is left open is not known. */
function withStated(at: At, what: ExpressionFact, stated: SyntaxNode): ExpressionFact | null {
  const types = stated.children.filter((one) => one.type !== "lifetime");
  if (!/\b_\b/.test(text(at, stated)))
    return ["call", what, types.map((one): TypeFact => typeOf(at, one) ?? ["name", "any"])];
  return isPlainHolder(text(at, stated)) ? ["call", what] : null;
}

/** Whether it says of what it holds nothing at all: `Vec<_>`. */
export function isPlainHolder(type: string): boolean {
  return (
    /^(?:::)?<?\s*(?:\w+::)*(?:Vec|VecDeque|HashSet|BTreeSet|Option)\s*<\s*_\s*>\s*>?$/.test(type) ||
    /^(?:::<)?_>?$/.test(type)
  );
}

/** Where a callback decides what a call gives: what it gives. */
function resultOfCallback(
  at: At,
  call: SyntaxNode,
  callee: SyntaxNode,
  given: readonly SyntaxNode[],
): ExpressionFact | null {
  const field = part(callee, "field");
  if (!field || !/^(?:map|and_then|flat_map|filter_map|map_or|map_or_else)$/.test(text(at, field))) return null;
  const last = given.at(-1);
  if (last?.type === "closure_expression") return expressionOf(closureAt(at, last, call), part(last, "body"));
  const path = last && last.type.endsWith("identifier") ? expressionOf(at, last) : null;
  return path && ["call", path];
}

function argumentsOf(call: SyntaxNode): SyntaxNode[] {
  return (part(call, "arguments")?.children ?? []).filter(({ type }) => !/comment|attribute/.test(type));
}

const closures = new WeakMap<SyntaxNode, At>();

/** The scope of a closure, the same whenever it is asked for; its parameters are what the call that takes it hands on. */
export function closureAt(at: At, node: SyntaxNode, call?: SyntaxNode): At {
  const known = closures.get(node);
  if (known) return known;
  const inner = inside(at);
  closures.set(node, inner);
  const callee = call && part(call, "function");
  const taker = callee && expressionOf(at, callee.type === "generic_function" ? part(callee, "function") : callee);
  const argument = call ? argumentsOf(call).indexOf(node) : -1;
  const list = part(node, "parameters");
  for (const { one, n } of list ? numbered(at, list, list.children) : []) {
    const pattern = one.type === "parameter" ? part(one, "pattern") : one;
    const stated = one.type === "parameter" ? part(one, "type") : undefined;
    const type = stated && !/\b_\b/.test(text(at, stated)) ? typeOf(at, stated) : null;
    const handed: ExpressionFact | null = taker && argument >= 0 ? ["given", taker, argument, n] : null;
    bindPattern(inner, pattern, type ? ["type", type] : handed);
  }
  return inner;
}

export function readClosure(at: At, node: SyntaxNode): void {
  const inner = closureAt(at, node);
  for (const one of part(node, "parameters")?.children ?? [])
    if (one.type === "parameter") visit(at, part(one, "type"));
  visit(inner, part(node, "return_type"));
  visit(inner, part(node, "body"));
}
