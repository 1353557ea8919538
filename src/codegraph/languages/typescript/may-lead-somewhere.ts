import type { ExpressionFact, UseFact } from "../../facts/facts.js";
import { lookUp, lookUpType, type Draft } from "./draft.js";

// So far linking looks for what something is made of, to tell a global from a miss. What is longer is left to it.
const deepest = 12;

/**
 * Whether linking can make anything of a use. What begins with a name that no scope of the file knows is the language's or
 * the runtime's: `expect(a).toBe(b)`, `Math.max(c)`. In the sources of hono that is every second use, and a fifth of the
 * facts. To be asked when every scope is complete: what is declared below may be used above.
 */
export function mayLeadSomewhere(draft: Draft, use: UseFact): boolean {
  const [kind, , scope] = use;
  if (kind !== "type") return !use[1] || mayBeKnown(draft, use[1], scope);
  const type = use[1];
  if (type[0] === "of") return mayBeKnown(draft, type[1], scope);
  if (type[0] !== "name") return true;
  const dot = type[1].indexOf(".");
  const first = dot < 0 ? type[1] : type[1].slice(0, dot);
  return lookUpType(draft, scope, first) !== undefined || lookUp(draft, scope, first) !== undefined;
}

function mayBeKnown(draft: Draft, expression: ExpressionFact, scope: number): boolean {
  let root = expression;
  for (let depth = 0; root[0] !== "name"; depth += 1) {
    if (depth === deepest) return true;
    if (root[0] !== "member" && root[0] !== "call" && root[0] !== "element" && root[0] !== "new") return true;
    root = root[1];
  }
  return lookUp(draft, scope, root[1]) !== undefined;
}
