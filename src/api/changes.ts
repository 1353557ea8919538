/**
 * The verbs that change memories, loaded together with the first of them: a process that only asks, such as a recall
 * before each prompt, starts without them.
 */
export { forget } from "../memory/forget.js";
export { history } from "../memory/history.js";
export { prune } from "../memory/prune.js";
export { purge } from "../memory/purge.js";
export { relateMemory, unrelateMemory } from "../memory/relate.js";
export { remember, rememberAsAgent } from "../memory/remember.js";
export { alias, rename, unalias } from "../memory/rename.js";
export { restore } from "../memory/restore.js";
export { flag, pin, verify } from "../memory/review.js";
export { revise } from "../memory/revise.js";
export { supersede } from "../memory/supersede.js";
export { undo } from "../memory/undo.js";
