/** Asking a configured model about contradictions that rules leave open. What other rooms use of it. */
export { countChecks } from "./count-checks.js";
export { type ContradictionCheck, openContradictionCheck } from "./contradiction-check.js";
