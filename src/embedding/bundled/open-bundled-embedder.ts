import { isMainThread } from "node:worker_threads";
import { MemoryError } from "../../base/memory-error.js";
import type { Embedder } from "../embedding.js";
import type { RuntimeName } from "./open-model.js";
import { borrowThread, returnThread } from "./shared-thread.js";

/**
 * The model that comes with Tacit, all-MiniLM-L6-v2: no network, nothing to install. It works in a thread of its own,
 * so that nothing else waits, and is loaded by the first text, once for all who have it open. `onnxruntime-node` runs it where that is installed, the
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
  // A host may end a thread of its own at any moment, and ours with it, which the native runtime does not survive; nor, in Bun
  // 1.3.14, which opencode is made with, that ours ends by itself: the process dies of it.
  runtime = isMainThread && process.versions["bun"] === undefined ? undefined : "web",
}: { runtime?: RuntimeName } = {}): Promise<Embedder> {
  const user = {};
  const closing = new AbortController();

  async function vectorOf(text: string, signal: AbortSignal | undefined): Promise<Float32Array> {
    if (closing.signal.aborted) throw closed();
    if (signal?.aborted) throw stopped(signal);
    const work = unlessAborted(borrowThread(runtime, user).embed(text), closing.signal, closed);
    return signal ? unlessAborted(work, signal, () => stopped(signal)) : work;
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
      closing.abort();
      await returnThread(runtime, user);
    },
  };
}

/** Gives up waiting when told to; the thread finishes what it has begun. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal, say: () => MemoryError): Promise<T> {
  let giveUp = (): void => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    giveUp = () => reject(say());
    signal.addEventListener("abort", giveUp);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
}

function closed(): MemoryError {
  return new MemoryError("model-failed", "The bundled model is closed.", "Open the memory again.");
}

function stopped(signal: AbortSignal): MemoryError {
  return new MemoryError("model-failed", "The bundled model was told to stop.", "Ask again.", signal.reason);
}
