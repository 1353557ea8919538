import { MemoryError } from "../../base/memory-error.js";
import { askModel } from "../../language-model/ask-model.js";
import type { Embedder, EmbeddingKind } from "../embedding.js";

export interface CheckOptions {
  /** Names the model in messages; its id when absent. */
  who?: string;
  /** So many texts are sent at once at most. */
  textsPerCall?: number;
  /** How long one call is waited for. */
  timeoutsMs?: Record<EmbeddingKind, number>;
  /** A key that no message may repeat. */
  key?: string;
}

// A question falls back to words, once the bundled model has had its time to load. Documents can wait.
const patienceMs = { query: 10_000, document: 60_000 };

/**
 * The same embedder, one that cannot lie: it gives one vector for each text, of the promised dimensions, of finite
 * numbers, brought to length 1, or throws `model-failed` that says what was wrong. Texts are sent in batches; a call
 * ends when its time is over or the caller's signal says so, whatever the embedder does.
 */
export function checkedEmbedder(embedder: Embedder, options: CheckOptions = {}): Embedder {
  const { who = embedder.modelId, textsPerCall = 64, timeoutsMs = patienceMs, key } = options;
  return {
    modelId: embedder.modelId,
    dimensions: embedder.dimensions,
    ...(embedder.candidateDimensions !== undefined && { candidateDimensions: embedder.candidateDimensions }),
    embed: async (texts, kind, { signal } = {}) => {
      const vectors: Float32Array[] = [];
      for (let from = 0; from < texts.length; from += textsPerCall) {
        const batch = texts.slice(from, from + textsPerCall);
        const asked = {
          who,
          timeoutMs: timeoutsMs[kind],
          ...(signal && { signal }),
          ...(key !== undefined && { key }),
        };
        const answer = await askModel(asked, (ending) => embedder.embed(batch, kind, { signal: ending }));
        if (answer.length !== batch.length) {
          throw wrongAnswer(who, `${answer.length} vectors for ${batch.length} texts`);
        }
        for (const vector of answer) vectors.push(toLengthOne(who, vector, embedder.dimensions));
      }
      return vectors;
    },
    close: async () => embedder.close?.(),
  };
}

function toLengthOne(who: string, vector: Float32Array, dimensions: number): Float32Array {
  if (vector.length !== dimensions) {
    throw wrongAnswer(who, `a vector of ${vector.length} dimensions where ${dimensions} were expected`);
  }
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (!Number.isFinite(squares)) throw wrongAnswer(who, "a vector with something in it that is no finite number");
  if (squares === 0) throw wrongAnswer(who, "a vector of nothing but zeros");
  const length = Math.sqrt(squares);
  // A program's embedder may give any list of numbers, and what is stored are the bytes of 32-bit floats.
  return Float32Array.from(vector, (value) => value / length);
}

function wrongAnswer(who: string, what: string): MemoryError {
  return new MemoryError(
    "model-failed",
    `${who} answered with ${what}.`,
    "Check that embeddingModel and embeddingDimensions are those of the model that is served: tacit config",
  );
}
