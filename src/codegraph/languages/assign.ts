import type { ExpressionFact } from "../facts.js";
import { bindValue, type At } from "./reading.js";

/**
 * Gives a value to a variable, in a language that declares none: it is what any of its values is. A parameter stays what it
 * is said to be.
 */
export function assign(at: At, name: string, made: ExpressionFact | null): void {
  const { scopes } = at.reading;
  const own = scopes[at.scope]?.symbol;
  for (let { scope } = at; scope >= 0 && scopes[scope]?.symbol === own; scope = scopes[scope]?.parent ?? -1) {
    const names = scopes[scope]?.names;
    const known = names?.get(name);
    if (known?.[0] === "parameter" && known[1] === null && made) names?.set(name, ["parameter", null, made]);
    if (known?.[0] === "value" && made) names?.set(name, ["value", known[1], oneOf(known[2], made)]);
    if (known) return;
  }
  bindValue(at, name, null, made);
}

// A variable that is given more values than this is a register of some machine.
const mostValues = 6;

/** What may be one of several things, with one more. */
export function oneOf(known: ExpressionFact | null | undefined, next: ExpressionFact): ExpressionFact {
  if (!known) return next;
  const all = known[0] === "either" ? known[1] : [known];
  if (all.length >= mostValues || all.some((one) => JSON.stringify(one) === JSON.stringify(next))) return known;
  return ["either", [...all, next]];
}
