import { MemoryError } from "../../base/memory-error.js";
import type { Settings } from "../../config/config.js";
import { askModel } from "../../language-model/ask-model.js";
import { getEndpoint, type Environment } from "../../language-model/endpoint.js";
import { alignScores, type Scorer } from "./scorer.js";

/** Judges how well documents answer a question by reading both together. */
export interface Reranker {
  /** Provider and model, such as `cohere:rerank-v3.5`. */
  readonly modelId: string;
  /**
   * A score from 0 to 1 for each document, in the order of the documents. Throws `model-failed` for a model that fails,
   * lies, is not configured to the end, or takes longer than `rerankTimeoutMs`: the caller's own order stands then.
   */
  rerank(question: string, documents: string[], options?: { signal?: AbortSignal }): Promise<number[]>;
}

/** The reranker that the user's settings name; undefined where they name none, which is the default. Sends nothing. */
export async function openReranker(settings: Settings, environment: Environment): Promise<Reranker | undefined> {
  const { rerankProvider: provider, rerankTimeoutMs: timeoutMs } = settings;
  if (provider === "none") return undefined;
  const model = settings.rerankModel ?? (provider === "cohere" ? "rerank-v3.5" : undefined);
  return {
    modelId: `${provider}:${model ?? "unnamed"}`,
    rerank: async (question, documents, { signal } = {}) => {
      if (documents.length === 0) return [];
      const endpoint = getEndpoint("rerank", settings, environment);
      if (provider === "ollama" && model === undefined) throw unnamed();
      const who = `${model ?? "the reranker"} at ${endpoint.host}`;
      const key = endpoint.key === undefined ? {} : { key: endpoint.key };
      return askModel({ who, timeoutMs, ...(signal && { signal }), ...key }, async (ending) => {
        const { outgoingText } = await import("../../language-model/outgoing-text.js");
        const score = await loadScorer(provider);
        const clean = await outgoingText(question);
        const scores = await score({ endpoint, model, question: clean, documents, signal: ending });
        return alignScores(who, scores, documents.length);
      });
    },
  };
}

async function loadScorer(provider: "cohere" | "endpoint" | "ollama"): Promise<Scorer> {
  if (provider === "cohere") return (await import("./cohere.js")).scoreByCohere;
  if (provider === "ollama") return (await import("./ollama.js")).scoreByOllama;
  return (await import("./endpoint.js")).scoreByEndpoint;
}

function unnamed(): MemoryError {
  return new MemoryError(
    "model-failed",
    "rerankModel is not set, and Ollama has no usual reranker.",
    "Get a build of Qwen3-Reranker for Ollama, and name it: tacit config set rerankModel …",
  );
}
