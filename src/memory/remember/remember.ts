/** Writing new memories. What other rooms use of it. */
export { asTainted, asUnverified, releasedFields, taintedFields } from "./distrust.js";
export { insertMemory } from "./insert-memory.js";
export { mayMergeRecords, mergedFields } from "./merge-records.js";
export { type RememberOptions, refuseRebinding, remember } from "./remember-memories.js";
export { loadContradictions, storeMemories } from "./store-memories.js";
export { supersede } from "./supersede.js";
