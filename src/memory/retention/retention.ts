/** How memories leave: forgetting, restoring, pruning, purging, and the daily upkeep. What other rooms use of it. */
export { AccessCounter } from "./access-counter.js";
export { forget, forgetRow, forgetRows } from "./forget.js";
export { finishQuietly, pruneIfDue } from "./prune-if-due.js";
export { listLeastWorth } from "./prune-queries.js";
export { type PruneReport, cleanUp, prune } from "./prune.js";
export { type PurgeTarget, purge } from "./purge.js";
export { restore, restoreRow } from "./restore.js";
