/**
 * hook: what a process does that lives for one event of an agent: it notes the event, injects once, and ends.
 *
 * It loads as little as it can, since the agent waits for it, and never fails the agent. It refuses models, which take too
 * long to load, and learning, which comes when the session is over (session). This file is what a plug-in of an agent needs
 * to understand a hook: the moment that it makes of it, and what a call of a tool does; apart from `index.ts`, so that
 * nothing else is loaded.
 */
export { archiveLine } from "../conversation/archive/archive-line.js";
export type { Moment } from "../injection/injection.js";
export { inputOf, recordOf, textOf } from "../observer/adapters/loose-value.js";
export { callOf } from "../observer/notes/call-of.js";
export { within } from "../base/within.js";
