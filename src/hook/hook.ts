/**
 * What a plug-in of an agent needs to understand a hook: the moment that it makes of it, and what a call of a tool does.
 * Apart from `index.ts`, so that a hook's process loads nothing else.
 */
export { archiveLine } from "../conversation/archive/archive-line.js";
export type { Moment } from "../injection/injection.js";
export { inputOf, recordOf, textOf } from "../observer/adapters/loose-value.js";
export { callOf } from "../observer/notes/call-of.js";
export { within } from "../base/within.js";
