import type { Embedding, EmbeddingStatus } from "./embedding/embedding.js";
import { listModelCalls, type ModelCalls } from "./language-model/model-ledger.js";
import type { ProjectStore } from "./memory/project-store.js";
import { listRecallCounts, type RecallCounts } from "./retrieval/recall-counter.js";

/** How a store is used. */
export interface Stats {
  /** The vectors of the whole store. */
  embedding: EmbeddingStatus;
  /** The questions of this project, by day and mode, newest day first. */
  recalls: RecallCounts[];
  /** What language models were asked, by day, model and purpose, newest day first; over all projects. */
  modelCalls: ModelCalls[];
  /** All days together. */
  totals: {
    recalls: Omit<RecallCounts, "day" | "mode">;
    modelCalls: Omit<ModelCalls, "day" | "model" | "purpose">;
  };
}

export async function readStats({ store, project }: ProjectStore, embedding: Embedding): Promise<Stats> {
  const status = await embedding.status();
  return store.read(async (reader) => {
    const recalls = await listRecallCounts(reader, project);
    const modelCalls = await listModelCalls(reader);
    return {
      embedding: status,
      recalls,
      modelCalls,
      totals: {
        recalls: sumOf(recalls, ["questions", "unanswered", "lifted", "topChanged"]),
        modelCalls: sumOf(modelCalls, ["calls", "failures", "inputTokens", "outputTokens"]),
      },
    };
  });
}

function sumOf<Name extends string>(rows: Record<Name, number>[], names: Name[]): Record<Name, number> {
  const sums = names.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)]);
  return Object.fromEntries(sums) as Record<Name, number>;
}
