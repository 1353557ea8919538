import { MemoryError } from "../../base/memory-error.js";
import { type ActiveModel, contextualText, findActiveModel, listVectors } from "../../embedding/vectors/vectors.js";
import type { Embedder } from "../../embedding/embedding.js";
import type { StoreEmbedding } from "../../embedding/store-embedding.js";
import { collectionModel, type ChromaExportOptions, type ChromaExportReport } from "./chroma-options.js";
import { exportToChroma } from "./export-to-chroma.js";
import type { MemoryRecord } from "../../memory/memory.js";
import type { ProjectContext } from "../../project/project.js";

/**
 * Exports to Chroma with the vectors of the store, where the model is the one of such collections. What has none of it gets
 * one from the bundled model, whatever else is configured here; only where no model is wanted at all it is refused.
 */
export async function exportChroma(
  context: ProjectContext,
  embedding: StoreEmbedding,
  address: string,
  options?: ChromaExportOptions,
): Promise<ChromaExportReport> {
  let opened: OpenModel | undefined;
  const vectorsOf = async (memories: MemoryRecord[]): Promise<number[][]> => {
    const known = await listKnown(context, memories);
    const missing = memories.filter(({ id }) => !known.has(id));
    if (missing.length > 0) opened ??= await openCollectionModel(embedding);
    const made = (await opened?.embedder.embed(missing.map(contextualText), "document")) ?? [];
    for (const [index, { id }] of missing.entries()) known.set(id, made[index] as Float32Array);
    return memories.map(({ id }) => Array.from(known.get(id) as Float32Array));
  };
  try {
    return await exportToChroma(context, address, vectorsOf, options);
  } finally {
    await opened?.close();
  }
}

async function listKnown(context: ProjectContext, memories: MemoryRecord[]): Promise<Map<string, Float32Array>> {
  return context.store.read(async (reader) => {
    const model = await findActiveModel(reader);
    if (!model || !isCollectionModel(model)) return new Map<string, Float32Array>();
    return listVectors(
      reader,
      memories.map(({ id }) => id),
      model,
    );
  });
}

/** By its name and its size: `bundled:all-MiniLM-L6-v2:384`, or the same from a server. */
function isCollectionModel({ id, dimensions }: Pick<ActiveModel, "id" | "dimensions">): boolean {
  const { name, dimensions: wanted } = collectionModel;
  return dimensions === wanted && id.toLowerCase().endsWith(`${name}:${wanted}`.toLowerCase());
}

interface OpenModel {
  embedder: Embedder;
  close(): Promise<void>;
}

async function openCollectionModel(embedding: StoreEmbedding): Promise<OpenModel> {
  const configured = await embedding.open();
  if (!configured) {
    throw new MemoryError(
      "export-refused",
      `A Chroma collection needs vectors of ${collectionModel.name}, and no embedding model is wanted here.`,
      "Allow the bundled one, which needs no network: tacit config set embeddingProvider bundled",
    );
  }
  const { modelId: id, dimensions } = configured;
  if (isCollectionModel({ id, dimensions })) return { embedder: configured, close: async () => undefined };
  const { openBundledEmbedder } = await import("../../embedding/bundled/bundled.js");
  const { checkedEmbedder } = await import("../../embedding/providers/providers.js");
  const bundled = checkedEmbedder(await openBundledEmbedder());
  return { embedder: bundled, close: async () => bundled.close?.() };
}
