import { MemoryError } from "../../base/memory-error.js";
import type { Endpoint } from "../../language-model/endpoint.js";

export interface ScoreRequest {
  endpoint: Endpoint;
  /** Absent: the one that the endpoint serves. */
  model: string | undefined;
  question: string;
  documents: string[];
  signal: AbortSignal;
}

/** What a model says about one of the documents. */
export interface Scored {
  /** Which document, from 0. */
  index: number;
  /** 0 to 1. */
  score: number;
}

/** Asks a model. What it says is not checked yet. */
export type Scorer = (request: ScoreRequest) => Promise<Scored[]>;

/** The scores in the order of the documents. Throws `model-failed` unless each document has one, from 0 to 1. */
export function alignScores(who: string, scored: Scored[], count: number): number[] {
  const scores = new Map<number, number>();
  for (const { index, score } of scored) {
    if (!Number.isInteger(index) || index < 0 || index >= count) {
      throw wrongAnswer(who, `a document ${String(index).slice(0, 20)} where there are ${count}`);
    }
    if (scores.has(index)) throw wrongAnswer(who, `document ${index} twice`);
    if (!Number.isFinite(score) || score < 0 || score > 1)
      throw wrongAnswer(who, `the score ${String(score).slice(0, 20)}`);
    scores.set(index, score);
  }
  if (scores.size < count) throw wrongAnswer(who, `${scores.size} scores for ${count} documents`);
  return Array.from({ length: count }, (_, index) => scores.get(index) ?? 0);
}

/** The error for an answer that cannot be right. */
export function wrongAnswer(who: string, what: string): MemoryError {
  return new MemoryError(
    "model-failed",
    `${who} answered with ${what}.`,
    "Check that rerankModel and rerankUrl are those of a reranker: tacit config",
  );
}
