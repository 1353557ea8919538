/** MEMORY.md and HISTORY.md. What other rooms use of it. */
export { comparePlan } from "./compare-plan.js";
export { findMemoryFolder, memoryFileName } from "./find-memory-folder.js";
export { readMemoryFile } from "./read-memory-file.js";
export { listReferencedBy, renderMemory } from "./sync-memory-file.js";
