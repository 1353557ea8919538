/**
 * hook: what a process does that lives for one event of an agent: it notes what the agent did, finds what to inject, and
 * remembers what a person typed. This file has what a plug-in needs to understand a hook: the moment that it makes of it, and
 * what a call of a tool does. Apart from `index.ts`, so that a hook's process loads nothing else.
 *
 * It refuses to learn from sessions, to ask a model, and to take an agent's word for a person's.
 */
export { archiveLine } from "../conversation/archive/archive.js";
export type { Moment } from "../injection/injection.js";
export { inputOf, recordOf, textOf } from "../observer/adapters/adapters.js";
export { callOf } from "../observer/notes/notes.js";
export { within } from "../base/within.js";
