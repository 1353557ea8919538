/** Parts of files that search can return on their own. What other rooms use of it. */
export type { ChunkType } from "./cut-chunks.js";
export { type EmbedChunksOptions, type EmbedChunksReport, embedChunks } from "./embed-chunks.js";
