import type { Embedding, EmbeddingStatus } from "./embedding/embedding.js";
import { listModelCalls, type ModelCalls } from "./language-model/model-ledger.js";
import type { ProjectStore } from "./memory/project-store.js";
import { listRecallCounts, type RecallCounts } from "./retrieval/recall-counter.js";

/** How a store is used. */
export interface Stats {
  /** The vectors of the whole store. */
  embedding: EmbeddingStatus;
  /** The questions of this project, by day and mode. */
  recalls: RecallCounts[];
  /** What language models were asked, by day, model and purpose; over all projects. */
  modelCalls: ModelCalls[];
}

export async function readStats({ store, project }: ProjectStore, embedding: Embedding): Promise<Stats> {
  const status = await embedding.status();
  return store.read(async (reader) => ({
    embedding: status,
    recalls: await listRecallCounts(reader, project),
    modelCalls: await listModelCalls(reader),
  }));
}
