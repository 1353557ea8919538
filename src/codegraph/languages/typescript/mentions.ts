import type { ExpressionFact, TypeFact, UseFact } from "../../facts/facts.js";
import { lookUp, lookUpType, scopeAt, type Draft } from "./draft.js";

/** Notes that something is run here. */
export function noteRun(
  draft: Draft,
  kind: "call" | "new" | "element",
  callee: ExpressionFact | null,
  scope: number,
  place: number,
  name: string | undefined,
): void {
  const line = draft.lineOf(place);
  // Most callees end with the name: said again, it was a fifteenth of the facts.
  const isSaid =
    name === undefined ||
    (callee && (callee[0] === "name" ? callee[1] : callee[0] === "member" ? callee[2] : undefined) === name);
  draft.uses.push(isSaid ? [kind, callee, scope, line] : [kind, callee, scope, line, name]);
}

/**
 * Notes that a name is mentioned, with the members that were asked of it, if it is an import, a symbol or a module's own: a
 * local variable concerns nobody else. A symbol that mentions the same again is noted once.
 */
export function noteMention(
  draft: Draft,
  name: string,
  members: readonly string[],
  scope: number,
  place: number,
  isCalled = false,
): void {
  const found = lookUp(draft, scope, name);
  if (!found || (found.scope !== 0 && found.binding[0] !== "import" && found.binding[0] !== "symbol")) return;
  // What is used of a module says more than that it is used.
  const isModule = found.binding[0] === "import" && found.binding[2] === "*";
  if (!isModule || members.length === 0) mention(draft, ["name", name], scope, place);
  // The last of what is called is no mention, but a call.
  const asked = isCalled ? members.slice(0, -1) : members;
  if (asked.length === 0) return;
  let chain: ExpressionFact = ["name", name];
  for (const member of asked) chain = ["member", chain, member];
  mention(draft, chain, scope, place);
}

function mention(draft: Draft, expression: ExpressionFact, scope: number, place: number): void {
  if (isNew(draft, "r", expression, scope)) draft.uses.push(["reference", expression, scope, draft.lineOf(place)]);
}

/** Notes that a type is mentioned. Type parameters and what the language itself knows are not worth it. */
export function noteType(draft: Draft, type: TypeFact, scope: number, place: number): void {
  if (type[0] === "name" && lookUpType(draft, scope, type[1])?.[0] === "variable") return;
  if (!isNew(draft, "t", type, scope)) return;
  const use: UseFact = ["type", type, scope, draft.lineOf(place)];
  draft.uses.push(use);
}

function isNew(draft: Draft, kind: string, fact: ExpressionFact | TypeFact, scope: number): boolean {
  const what = fact[0] === "name" ? fact[1] : JSON.stringify(fact);
  const key = `${kind}${scopeAt(draft, scope).symbol}:${what}`;
  if (draft.mentioned.has(key)) return false;
  draft.mentioned.add(key);
  return true;
}
