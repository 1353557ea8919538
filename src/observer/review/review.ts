/** What a person decides about pending memories, and the evidence for it. What other rooms use of it. */
export { type Evidence, listMemoryEvidence } from "./list-memory-evidence.js";
export { acceptMemory, rejectMemory } from "./review-memory.js";
