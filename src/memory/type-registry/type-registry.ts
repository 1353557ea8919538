/** The types of memories and the schemas of their data. What other rooms use of it. */
export { checkData } from "./check-data.js";
export { type CustomMemoryType, defineMemoryTypes } from "./define-memory-types.js";
export {
  type MemoryType,
  isBuiltIn,
  listMemoryTypes,
  listShares,
  memoryType,
  memoryTypes,
  stampedHalfLife,
  typeHalfLife,
} from "./memory-types.js";
