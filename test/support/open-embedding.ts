import { onTestFinished } from "vitest";
import { StoreEmbedding, type EmbeddingOptions } from "../../src/embedding/store-embedding.js";
import type { Embedder } from "../../src/embedding/embedding.js";
import { filterConditions } from "../../src/memory/read/memory-filter.js";
import { listByKeys } from "../../src/memory/read/memory-queries.js";
import type { MemoryFilter } from "../../src/memory/memory.js";
import { readProject, type ProjectContext } from "../../src/project/project-context.js";

/** The embedding of a store with this model, closed when the running test ends. */
export function openEmbedding(
  { store, now }: ProjectContext,
  embedder: Embedder | undefined,
  options: Partial<EmbeddingOptions> = {},
): StoreEmbedding {
  const embedding = new StoreEmbedding({ store, now, openEmbedder: async () => embedder, ...options });
  onTestFinished(() => embedding.close());
  return embedding;
}

/** What the nearest memories say, nearest first; or why meanings cannot be compared. */
export async function askNearest(
  context: ProjectContext,
  embedding: StoreEmbedding,
  question: string,
  { limit = 10, ...filter }: MemoryFilter & { limit?: number } = {},
): Promise<string[] | string> {
  const query = await embedding.embedQuery(question);
  if ("problem" in query) return query.problem;
  return readProject(context, [] as string[], async (reader, project) => {
    const sql = filterConditions(filter, project, context.now());
    const nearest = await embedding.listNearest(reader, project, query, sql, limit);
    const keys = nearest.map(({ key }) => key);
    return (await listByKeys(reader, project, keys, context.now())).map(({ memory }) => memory.content);
  });
}
