/** Precise indexes that a compiler wrote. What other rooms use of it. */
export { type ScipReport, importIndex } from "./import-index.js";
export { readIndex } from "./read-index.js";
export { countPrecise } from "./scip-queries.js";
