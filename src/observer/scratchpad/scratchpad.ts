/** The notes of one agent in one session, in order. What other rooms use of it. */
export { type Acute, findAcute } from "./acute.js";
export { unitKey } from "./finished-units.js";
export { mainFirst } from "./main-first.js";
export { moduleOf } from "./module-of.js";
export { type GrowingScratchpad, openScratchpad } from "./open-scratchpad.js";
export { isProjectFile } from "./project-files.js";
export type { Action, Scratchpad } from "./session-view.js";
export { isVerification, verdictOf } from "./verdicts.js";
