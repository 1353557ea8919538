import { MemoryError } from "../base/memory-error.js";

/** A request to a model. */
export interface ModelAnswer {
  /** Names it in messages: `text-embedding-3-small at api.openai.com`. */
  who: string;
  /** How long it is waited for, retries included; absent: until it answers. */
  timeoutMs?: number;
  /** The caller's own wish to stop. */
  signal?: AbortSignal;
  /** A key that no message may repeat. */
  key?: string;
}

/**
 * Does what asks a model, and ends it when its time is over or the caller has had enough, even if it does not heed its
 * signal. Whatever goes wrong is a `MemoryError` with the code `model-failed` that says what.
 *
 * @example
 * await askModel({ who: "qwen3:8b", timeoutMs: 2000 }, (signal) => fetch(url, { signal }))
 */
export async function askModel<T>(asked: ModelAnswer, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { who, timeoutMs, signal, key } = asked;
  const ending = new AbortController();
  const end = (): void => ending.abort();
  const timer = timeoutMs === undefined ? undefined : setTimeout(end, timeoutMs);
  signal?.addEventListener("abort", end, { once: true });
  try {
    signal?.throwIfAborted();
    return await Promise.race([work(ending.signal), aborted(ending.signal)]);
  } catch (error) {
    if (signal?.aborted) throw new MemoryError("model-failed", `${who} was no longer waited for.`, "Ask again.");
    if (!ending.signal.aborted) {
      // Not loaded before something fails: every recall comes by here, and hygiene takes 30 ms.
      const { modelFailure } = await import("./model-failure.js");
      throw await modelFailure(who, error, key);
    }
    throw new MemoryError(
      "model-failed",
      `${who} did not answer within ${timeoutMs} ms.`,
      "Check that it runs and is not overloaded; a model that is asked for the first time may still be loading.",
    );
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

async function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error("aborted")), { once: true });
  });
}
