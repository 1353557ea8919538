import type { ExpressionFact } from "../../facts/facts.js";
import { addScope, lookUp, scopeAt, type Draft } from "./draft.js";
import { bare, child, children, type Node } from "./estree.js";
import { expressionOf } from "./types.js";

/**
 * The scope of what is only reached where a test holds, or fails: in it, a name is what the test says. It is the given one
 * where the test says nothing of a local name.
 */
export function narrowed(draft: Draft, test: Node | undefined, scope: number, holds: boolean): number {
  const found = guardsIn(draft, test, scope, holds);
  if (found.length === 0) return scope;
  const inner = addScope(draft, scope, { isNarrowed: true });
  for (const [name, expression] of found) scopeAt(draft, inner).names.set(name, ["value", null, expression]);
  return inner;
}

/** The scope of what follows a statement: after `if (!(a instanceof B)) return`, `a` is a `B`. */
export function narrowedAfter(draft: Draft, statement: Node, scope: number): number {
  if (statement.type !== "IfStatement" || child(statement.alternate) || !leaves(child(statement.consequent)))
    return scope;
  return narrowed(draft, child(statement.test), scope, false);
}

function leaves(node: Node | undefined): boolean {
  if (node?.type === "BlockStatement") return leaves(children(node.body).at(-1));
  return /^(?:Return|Throw|Continue|Break)Statement$/.test(node?.type ?? "");
}

type Guard = [name: string, what: ExpressionFact];

function guardsIn(draft: Draft, test: Node | undefined, scope: number, holds: boolean): Guard[] {
  const node = bare(test);
  if (!node) return [];
  if (node.type === "UnaryExpression") {
    return draft.source[node.start] === "!" ? guardsIn(draft, child(node.argument), scope, !holds) : [];
  }
  if (node.type === "LogicalExpression") return guardsInBoth(draft, node, scope, holds);
  if (!holds) return [];
  if (node.type === "BinaryExpression" && node.operator === "instanceof") {
    const name = localName(draft, child(node.left), scope);
    const of = expressionOf(child(node.right));
    return name !== undefined && of ? [[name, ["new", of]]] : [];
  }
  return node.type === "CallExpression" ? guardsOfCall(draft, node, scope) : [];
}

function guardsInBoth(draft: Draft, node: Node, scope: number, holds: boolean): Guard[] {
  const left = guardsIn(draft, child(node.left), scope, holds);
  const right = guardsIn(draft, child(node.right), scope, holds);
  if (node.operator === (holds ? "&&" : "||")) return [...left, ...right];
  // Of `a instanceof B || a instanceof C`, one.
  const [[name, first], [other, second]] = [left[0] ?? [], right[0] ?? []];
  return name !== undefined && name === other && first && second ? [[name, ["either", [first, second]]]] : [];
}

/** Whether a function guards anything shows where it is defined; most that do are called like this. */
const guardName = /^(?:is|has|assert)(?![a-z])/;

function guardsOfCall(draft: Draft, node: Node, scope: number): Guard[] {
  const guard = expressionOf(child(node.callee));
  const last = guard?.[0] === "name" ? guard[1] : guard?.[0] === "member" ? guard[2] : "";
  if (!guard || !guardName.test(last) || (guard[0] === "member" && guard[1][0] === "name" && guard[1][1] === "Array"))
    return [];
  const given = children(node.arguments).slice(0, 2);
  const facts = given.map((one) => expressionOf(bare(one)) ?? null);
  return given.flatMap((one): Guard[] => {
    const name = localName(draft, one, scope);
    return name === undefined ? [] : [[name, ["guarded", name, guard, facts]]];
  });
}

/** Of what belongs to the module, others are told by its symbol. */
function localName(draft: Draft, node: Node | undefined, scope: number): string | undefined {
  const inner = bare(node);
  if (inner?.type !== "Identifier") return undefined;
  const kind = lookUp(draft, scope, inner.name as string)?.binding[0];
  return kind === "value" || kind === "parameter" ? (inner.name as string) : undefined;
}
