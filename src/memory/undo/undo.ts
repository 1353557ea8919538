/** Taking back one change. What other rooms use of it. */
export { type UndoOptions, undo } from "./undo-change.js";
