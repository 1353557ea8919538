import { isMainThread } from "node:worker_threads";
import { MemoryError } from "../../base/memory-error.js";
import type { Embedder } from "../embedding.js";
import { ModelThread } from "./model-thread.js";
import type { RuntimeName } from "./open-model.js";

/**
 * The model that comes with Tacit, all-MiniLM-L6-v2: no network, nothing to install. It works in a thread of its own,
 * so that nothing else waits, and is loaded by the first text. `onnxruntime-node` runs it where that is installed, the
 * slower runtime in the package where not; `runtime` asks for one of the two.
 *
 * A text is always read alone, so its vector is the same to the last bit whatever it comes with. Batches of 16 would
 * take 0.96 times as long with `onnxruntime-node` and 0.90 times with the other, and a question would wait for all of
 * them (2026-11).
 *
 * @example
 * const embedder = await openBundledEmbedder();
 * const [vector] = await embedder.embed(["how do we deploy?"], "query");
 * await embedder.close?.();
 */
export async function openBundledEmbedder({
  // A host may end a thread of its own at any moment, and ours with it, which the native runtime does not survive.
  runtime = isMainThread ? undefined : "web",
}: { runtime?: RuntimeName } = {}): Promise<Embedder> {
  let thread: ModelThread | undefined;
  let closed = false;

  async function vectorOf(text: string, signal: AbortSignal | undefined): Promise<Float32Array> {
    if (closed) throw new MemoryError("model-failed", "The bundled model is closed.", "Open the memory again.");
    if (signal?.aborted) throw stopped(signal);
    if (!thread?.isAlive) thread = new ModelThread(runtime);
    return signal ? unlessAborted(thread.embed(text), signal) : thread.embed(text);
  }

  return {
    modelId: "bundled:all-MiniLM-L6-v2:384",
    dimensions: 384,
    // It makes no difference to this model whether a text asks or answers.
    async embed(texts, _kind, { signal } = {}) {
      const vectors: Float32Array[] = [];
      for (const text of texts) vectors.push(await vectorOf(text, signal));
      return vectors;
    },
    async close() {
      closed = true;
      await thread?.close();
    },
  };
}

/** Gives up waiting when told to; the thread finishes what it has begun. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let giveUp = (): void => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    giveUp = () => reject(stopped(signal));
    signal.addEventListener("abort", giveUp);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
}

function stopped(signal: AbortSignal): MemoryError {
  return new MemoryError("model-failed", "The bundled model was told to stop.", "Ask again.", signal.reason);
}
