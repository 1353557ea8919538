import type { ExpressionFact } from "../facts/facts.js";
import type { SyntaxNode } from "../syntax/syntax-tree.js";
import { bindName, bindValue, visitAll, type At } from "./reading.js";

/**
 * Gives a value to a variable, in a language that declares none. One that it is given for sure is another variable from
 * there on, `x~2`; one that it may be given is one more that it may have.
 */
export function assign(at: At, name: string, made: ExpressionFact | null): void {
  const scope = holderOf(at, name, true);
  if (scope === undefined) {
    bindValue(at, name, null, made);
    return;
  }
  const { names, values } = at.reading.scopes[scope] ?? {};
  const now = valueName(name, values?.get(name));
  if (scope === at.scope && !at.isMaybe) {
    bindName(at, countUp(at, name), ["value", null, made]);
    return;
  }
  const known = names?.get(now);
  if (made && known?.[0] === "value") names?.set(now, ["value", known[1], oneOf(known[2], made)]);
}

function countUp({ reading, scope }: At, name: string): string {
  const draft = reading.scopes[scope];
  const values = draft?.values ?? new Map<string, number>();
  values.set(name, (values.get(name) ?? 1) + 1);
  if (draft) draft.values = values;
  return valueName(name, values.get(name));
}

function valueName(name: string, count = 1): string {
  return count === 1 ? name : `${name}~${count}`;
}

/** The scope that has a variable, be it of the same function or of any around it. */
function holderOf({ reading, scope: start }: At, name: string, isSame: boolean): number | undefined {
  const { scopes } = reading;
  const own = scopes[start]?.symbol;
  for (let scope = start; scope >= 0; scope = scopes[scope]?.parent ?? -1) {
    if (isSame && scopes[scope]?.symbol !== own) return undefined;
    if (scopes[scope]?.names.has(name)) return scope;
  }
  return undefined;
}

/** A variable with the value that it has where reading stands. */
export function variableNow(at: At, name: string): ExpressionFact {
  const scope = holderOf(at, name, false) ?? at.scope;
  return ["name", valueName(name, at.reading.scopes[scope]?.values?.get(name))];
}

/** Goes through what may be left out. */
export function maybe(at: At, node: SyntaxNode): void {
  visitAll({ ...at, isMaybe: true }, node.children);
}

// A variable that is given more values than this is a register of some machine.
const maxValues = 6;

/** What may be one of several things, with one more. */
export function oneOf(known: ExpressionFact | null | undefined, next: ExpressionFact): ExpressionFact {
  if (!known) return next;
  const all = known[0] === "either" ? known[1] : [known];
  if (all.length >= maxValues || all.some((one) => JSON.stringify(one) === JSON.stringify(next))) return known;
  return ["either", [...all, next]];
}
