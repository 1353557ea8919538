import { postJson } from "../../language-model/post-json.js";
import type { Scored, ScoreRequest } from "./scorer.js";

/**
 * Asks any endpoint of the common shape, which Cohere, Jina, vLLM and llama.cpp share; its address is given in full.
 * Some give what the model says before it is brought to 0..1: when one score of an answer is outside, all are taken so.
 */
export async function scoreByEndpoint({
  endpoint,
  model,
  question,
  documents,
  signal,
}: ScoreRequest): Promise<Scored[]> {
  const body = { ...(model !== undefined && { model }), query: question, documents, top_n: documents.length };
  const answer = await postJson(endpoint, body, signal);
  const scored = resultsOf(answer).map(({ index, relevance_score }) => ({ index, score: relevance_score }));
  const isProbability = scored.every(({ score }) => score >= 0 && score <= 1);
  return isProbability ? scored : scored.map(({ index, score }) => ({ index, score: logistic(score) }));
}

interface Result {
  index: number;
  relevance_score: number;
}

function resultsOf(answer: unknown): Result[] {
  const { results } = (answer ?? {}) as { results?: Result[] };
  return Array.isArray(results) ? results.map((result) => result ?? {}) : [];
}

/** NaN, which no score may be, for what is no finite number. */
function logistic(value: number): number {
  return Number.isFinite(value) ? 1 / (1 + Math.exp(-value)) : Number.NaN;
}
