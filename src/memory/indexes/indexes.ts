/** What is derived from the rows: words and facets. What other rooms use of it. */
export { countOutOfStep, isIndexOutdated, rebuildIndexes, reindexMemory } from "./derived-indexes.js";
export { type WordColumns, wordColumns } from "./word-columns.js";
