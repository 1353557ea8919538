import type { EmbeddingStatus } from "../embedding/embedding.js";
import type { StoreEmbedding } from "../embedding/store-embedding.js";
import {
  countInjections,
  type InjectionHistory,
  type InjectionTotals,
  listInjections,
} from "../injection/report/report.js";
import { listModelCalls, type ModelCalls } from "../language-model/model-ledger.js";
import { findProject, type ProjectContext, type ProjectHint } from "../project/project.js";
import { listRecallCounts, type RecallCounts } from "../retrieval/recall-counter.js";
import type { Reader } from "../storage/storage.js";

/** How a store is used. */
export interface Stats {
  /** The vectors of the whole store. */
  embedding: EmbeddingStatus;
  /** The questions of this project, by day and mode, newest day first. */
  recalls: RecallCounts[];
  /** What language models were asked, by day, model and purpose, newest day first; over all projects. */
  modelCalls: ModelCalls[];
  /** What agents of this project were told without asking, as far as their sessions are over. */
  injections: {
    /** By day and point, oldest day first. Days are those of UTC. */
    byDay: InjectionHistory["days"];
    /** The last 20, newest first. */
    bySession: InjectionHistory["sessions"];
    totals: InjectionTotals;
  };
  /** All days together. */
  totals: {
    recalls: Omit<RecallCounts, "day" | "mode">;
    modelCalls: Omit<ModelCalls, "day" | "model" | "purpose">;
  };
}

export async function readStats({ store, project }: ProjectContext, embedding: StoreEmbedding): Promise<Stats> {
  const status = await embedding.status();
  return store.read(async (reader) => {
    const recalls = await listRecallCounts(reader, project);
    const modelCalls = await listModelCalls(reader);
    const injections = await readInjections(reader, project);
    return {
      embedding: status,
      recalls,
      modelCalls,
      injections,
      totals: {
        recalls: sumOf(recalls, ["questions", "unanswered", "lifted", "topChanged"]),
        modelCalls: sumOf(modelCalls, ["calls", "failures", "inputTokens", "outputTokens"]),
      },
    };
  });
}

async function readInjections(reader: Reader, hint: ProjectHint): Promise<Stats["injections"]> {
  const { project } = await findProject(reader, hint);
  if (!project) return { byDay: [], bySession: [], totals: nothingTold };
  const { days, sessions } = await listInjections(reader, project);
  return { byDay: days, bySession: sessions, totals: await countInjections(reader, project) };
}

const nothingTold: InjectionTotals = {
  sessions: 0,
  injections: 0,
  memories: 0,
  differentMemories: 0,
  files: 0,
  tokens: 0,
  cited: 0,
  followed: 0,
  savedTokens: 0,
};

function sumOf<Name extends string>(rows: Record<Name, number>[], names: Name[]): Record<Name, number> {
  const sums = names.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)]);
  return Object.fromEntries(sums) as Record<Name, number>;
}
