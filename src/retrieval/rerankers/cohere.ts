import { fetchDirectly } from "../../language-model/endpoint.js";
import { loadSdk } from "../../language-model/load-sdk.js";
import type { Scored, ScoreRequest } from "./scorer.js";

/** Asks Cohere, or whoever speaks its second version. */
export async function scoreByCohere({
  endpoint,
  model = "",
  question,
  documents,
  signal,
}: ScoreRequest): Promise<Scored[]> {
  const { rerank } = await loadSdk();
  const { createCohere } = await import("@ai-sdk/cohere");
  const { url, key } = endpoint;
  const cohere = createCohere({ baseURL: url, fetch: fetchDirectly, ...(key !== undefined && { apiKey: key }) });
  const { ranking } = await rerank({
    model: cohere.reranking(model),
    query: question,
    documents,
    topN: documents.length,
    // Somebody waits, and has an order of results already.
    maxRetries: 0,
    abortSignal: signal,
  });
  return ranking.map(({ originalIndex, score }) => ({ index: originalIndex, score }));
}
