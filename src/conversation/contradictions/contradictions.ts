/** Asking a configured model about contradictions that rules leave open. What other rooms use of it. */
export { openContradictionCheck } from "./contradiction-check.js";
