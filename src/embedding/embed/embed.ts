/** Making the vectors that are missing. What other rooms use of it. */
export type { EmbedOptions, EmbedReport } from "./embed-pending.js";
export { describeFailure, embedTexts } from "./embed-texts.js";
export { cacheKey, listCached, storeCached } from "./embedding-cache.js";
export type { Failure, OpenEmbedder } from "./held-embedder.js";
