import { embedChunks, type EmbedChunksOptions, type EmbedChunksReport } from "../codegraph/chunks/chunks.js";
import type { StoreEmbedding } from "../embedding/store-embedding.js";
import type { ProjectContext } from "../project/project.js";
import type { CurrentTree } from "./tree/current-tree.js";

/** Whose code is embedded. */
export interface EmbeddedCode {
  context: ProjectContext;
  tree: CurrentTree;
  embedding: () => Promise<StoreEmbedding>;
}

/** Gives every chunk of the code a vector. Without an embedding model it says how to choose one. */
export async function embedCode(
  { context: { store, now }, tree: own, embedding }: EmbeddedCode,
  options?: EmbedChunksOptions,
): Promise<EmbedChunksReport> {
  const tree = await own.ask(async (_reader, found) => found);
  const held = await embedding();
  const embedder = await held.open();
  if (!embedder)
    return {
      embedded: 0,
      pending: 0,
      refused: 0,
      changed: 0,
      failure: "No embedding model is configured.",
      hint: "To choose the bundled one: tacit config set embeddingProvider bundled",
    };
  // A model counts in a store when its memories have their vectors, and only then is a question compared.
  await held.embedPending({ ...(options?.signal && { signal: options.signal }) });
  return embedChunks({ store, tree, embedder, now }, options);
}
