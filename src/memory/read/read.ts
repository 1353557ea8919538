/** Reading memories: by key, reference, filter. What other rooms use of it. */
export { checkFilter } from "./check-filter.js";
export { findMemory, findMemoryOrForgotten, getMemory, notFoundHere } from "./get-memory.js";
export { list } from "./list.js";
export { lookUp } from "./look-up.js";
export { type FilterSql, filterConditions, isArchived, isLookedAt, isTrusted } from "./memory-filter.js";
export {
  type KeyedMemory,
  type ListQuery,
  countMemories,
  findNameHolder,
  keyRange,
  listByKeys,
  listByReference,
  listMemories,
  listRelatedFiles,
  listSameText,
} from "./memory-queries.js";
export { parseTime } from "./parse-time.js";
export { relativeTo, withRelativeFiles } from "./relative-to.js";
