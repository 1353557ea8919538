/** What was injected, told to a person. What other rooms use of it. */
export { type InjectionFigures, type InjectionHistory, listInjections } from "./injection-history-queries.js";
export { type InjectionTotals, countInjections } from "./injection-totals-queries.js";
export { lastSessionNote } from "./last-session-note.js";
export { type SessionSummary, sessionSummary } from "./session-summary.js";
