/** What was injected and what became of it, written when a session ends. What other rooms use of it. */
export { recordInjections } from "./record-injections.js";
export type { Use } from "./use-of.js";
