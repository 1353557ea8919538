/** Checking and cleaning an input before anything is written. What other rooms use of it. */
export { checkChanges } from "./check-input.js";
export { checkName } from "./check-name.js";
export { type FieldCleaner, cleanFields } from "./clean-fields.js";
export { withConceptNodes } from "./concept-nodes.js";
export {
  type PreparedMemory,
  cleanContent,
  defaultConfidence,
  defaultExpiry,
  prepareMemories,
  relatedTo,
} from "./prepare-memory.js";
