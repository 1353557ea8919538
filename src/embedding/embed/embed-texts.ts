import { MemoryError } from "../../base/memory-error.js";
import type { Embedder } from "../embedding.js";
import type { Failure } from "./held-embedder.js";

export interface EmbeddedTexts {
  vectors: Map<string, Float32Array>;
  /** The model answers, but not to these. */
  refused: Set<string>;
  /** Why the rest is missing, when the model does not answer. */
  failure?: Failure;
}

// No model can find anything wrong with it.
const harmlessText = "memory";
// What a model will not read whole, because it is too long, is known by its beginning.
const beginningCharacters = 4000;
const longestFailure = 200;

/** Embeds texts, each with a key of the caller's. Never throws: what was made before a failure or an abort is given back. */
export async function embedTexts(
  embedder: Embedder,
  texts: Map<string, string>,
  { textsPerCall, signal, onCall }: { textsPerCall: number; signal: AbortSignal; onCall: (count: number) => void },
): Promise<EmbeddedTexts> {
  const entries = [...texts];
  const result: EmbeddedTexts = { vectors: new Map(), refused: new Set() };
  try {
    for (let from = 0; from < entries.length && !signal.aborted; from += textsPerCall) {
      const call = entries.slice(from, from + textsPerCall);
      const vectors = await embedEach(
        embedder,
        call.map(([, text]) => text),
        signal,
      );
      call.forEach(([key], index) => {
        const vector = vectors[index];
        if (vector) result.vectors.set(key, vector);
        else result.refused.add(key);
      });
      onCall(call.length);
    }
  } catch (error) {
    if (!signal.aborted) result.failure = describeFailure(error);
  }
  return result;
}

/** What a model could not do, in a sentence, and the next step. */
export function describeFailure(error: unknown): Failure {
  if (!(error instanceof MemoryError)) return { failure: "The embedding model failed without saying why." };
  const { message, hint } = error;
  return { failure: message.length > longestFailure ? `${message.slice(0, longestFailure - 1)}…` : message, hint };
}

/** One vector for each text, undefined for one that the model refuses. Throws when it does not answer at all. */
async function embedEach(
  embedder: Embedder,
  texts: string[],
  signal: AbortSignal,
): Promise<(Float32Array | undefined)[]> {
  try {
    return await embedder.embed(texts, "document", { signal });
  } catch (error) {
    // Whether it was the model or one of the texts: asked before taking them apart, since a model that hangs would hang
    // for each part, and once more at the last one, since it may have ended meanwhile.
    if (signal.aborted || !(await answers(embedder, signal))) throw error;
    if (texts.length === 1) return [await embedBeginning(embedder, texts[0] ?? "", signal)];
    const half = Math.ceil(texts.length / 2);
    const first = await embedEach(embedder, texts.slice(0, half), signal);
    return [...first, ...(await embedEach(embedder, texts.slice(half), signal))];
  }
}

async function embedBeginning(
  embedder: Embedder,
  text: string,
  signal: AbortSignal,
): Promise<Float32Array | undefined> {
  if (text.length <= beginningCharacters) return undefined;
  try {
    return (await embedder.embed([text.slice(0, beginningCharacters)], "document", { signal }))[0];
  } catch (error) {
    // Whoever gives up has not been refused.
    if (signal.aborted) throw error;
    return undefined;
  }
}

async function answers(embedder: Embedder, signal: AbortSignal): Promise<boolean> {
  try {
    await embedder.embed([harmlessText], "document", { signal });
    return true;
  } catch {
    return false;
  }
}
