import { createHash } from "node:crypto";
import { MemoryError } from "../../src/base/memory-error.js";
import { checkedEmbedder } from "../../src/embedding/providers/checked-embedder.js";
import type { Embedder } from "../../src/embedding/embedding.js";

/** An embedder for tests: texts that share words have like vectors. It behaves until it is told otherwise. */
export interface FakeEmbedder extends Embedder {
  /** The texts of each call that reached the model. */
  readonly calls: string[][];
  readonly isClosed: boolean;
  hang(): void;
  fail(message?: string): void;
  /** Gives vectors of the wrong size. */
  lie(): void;
  /** Takes so long for each call. */
  slow(ms: number): void;
  /** Fails whenever one of these texts is among those it is given. */
  refuse(pattern: RegExp): void;
  recover(): void;
}

type Answer = (texts: string[]) => Promise<Float32Array[]>;

export function fakeEmbedder({
  modelId = "fake:words:64",
  dimensions = 64,
  candidateDimensions,
}: { modelId?: string; dimensions?: number; candidateDimensions?: number } = {}): FakeEmbedder {
  const calls: string[][] = [];
  const behaves: Answer = async (texts) => texts.map((text) => vectorOfWords(text, modelId, dimensions));
  let answer = behaves;
  let isClosed = false;
  const model: Embedder = {
    modelId,
    dimensions,
    ...(candidateDimensions !== undefined && { candidateDimensions }),
    embed: async (texts) => {
      calls.push(texts);
      return answer(texts);
    },
    close: async () => {
      isClosed = true;
    },
  };
  return {
    ...checkedEmbedder(model),
    calls,
    get isClosed() {
      return isClosed;
    },
    hang: () => (answer = () => new Promise(() => undefined)),
    fail: (message = "The fake model is down.") => {
      answer = async () => {
        throw new MemoryError("model-failed", message, "Wait for the test to end.");
      };
    },
    lie: () => (answer = async (texts) => texts.map(() => new Float32Array(dimensions + 1).fill(1))),
    slow: (ms) => {
      answer = async (texts) => {
        await new Promise((wake) => setTimeout(wake, ms));
        return behaves(texts);
      };
    },
    refuse: (pattern) => {
      answer = async (texts) => {
        if (!texts.some((text) => pattern.test(text))) return behaves(texts);
        throw new MemoryError("model-failed", "The fake model does not take this text.", "Shorten it.");
      };
    },
    recover: () => (answer = behaves),
  };
}

/** Each word points somewhere of its own, and elsewhere for each model; a text points where its words do, together. */
function vectorOfWords(text: string, modelId: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ["nothing"]) {
    const hash = createHash("sha512").update(`${modelId} ${word}`).digest();
    vector.forEach((value, index) => (vector[index] = value + (hash[index % hash.length] ?? 0) - 127.5));
  }
  return vector;
}
