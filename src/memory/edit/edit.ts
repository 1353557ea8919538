/** Changing what is there: text, names, relations, review, and taking a change back. What other rooms use of it. */
export { type PendingReview, pendingReview } from "./pending-review.js";
export { type StatedRelation, relateMemory, unrelateMemory } from "./relate-memory.js";
export { type RenameOptions, alias, rename, unalias } from "./rename.js";
export { flag, pin, verify } from "./review.js";
export { type ReviseOptions, changedFields, prepareChanges, revise } from "./revise.js";
export { type UndoOptions, undo } from "../undo/undo-change.js";
