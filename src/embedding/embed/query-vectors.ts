import type { Clock } from "../../base/base.js";
import type { Store } from "../../storage/storage.js";
import { noteFailure, type ActiveModel } from "../vectors/active-model.js";
import { cacheKey, storeCached, listCached } from "./embedding-cache.js";

// Enough for the questions of an hour; 0.8 MB with 1,024 dimensions, 3.3 MB with 4,096.
const maxRemembered = 200;
// Written soon after the answer, and together when questions come in a row; see memory/access.ts.
const delayMs = 200;
const patienceMs = 50;

/** The vectors of questions that were asked before, in this process or another; and what the model had to say about it. */
export class QueryVectors {
  readonly #store: Store;
  readonly #now: Clock;
  #known = new Map<string, Float32Array>();
  #unsaved = new Map<string, Float32Array>();
  #outcome: { model: ActiveModel; failure: string | undefined } | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(store: Store, now: Clock) {
    this.#store = store;
    this.#now = now;
  }

  /** What this process remembers, at once. */
  recall(text: string, model: ActiveModel): Float32Array | undefined {
    const key = cacheKey(text, "query", model);
    const vector = this.#known.get(key);
    if (vector) this.#remember(key, vector);
    return vector;
  }

  async find(text: string, model: ActiveModel): Promise<Float32Array | undefined> {
    const key = cacheKey(text, "query", model);
    const vector = (await this.#store.read((reader) => listCached(reader, [key], this.#now()))).get(key);
    if (vector) this.#remember(key, vector);
    return vector;
  }

  /** Keeps a vector; the store learns of it after the answer. */
  keep(text: string, model: ActiveModel, vector: Float32Array): void {
    const key = cacheKey(text, "query", model);
    this.#remember(key, vector);
    this.#writeSoon({ model, failure: undefined });
    this.#unsaved.set(key, vector);
  }

  noteFailure(model: ActiveModel, failure: string): void {
    this.#writeSoon({ model, failure });
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const [vectors, outcome] = [this.#unsaved, this.#outcome];
    this.#unsaved = new Map();
    this.#outcome = undefined;
    if (!outcome || !this.#store.exists) return;
    try {
      await this.#store.write(
        async (writer) => {
          await storeCached(writer, vectors, this.#now());
          await noteFailure(writer, outcome.model, outcome.failure, this.#now());
        },
        { timeoutMs: patienceMs },
      );
    } catch {
      // Busy, read-only, full: the answer was given, and that is what counts.
    }
  }

  #remember(key: string, vector: Float32Array): void {
    this.#known.delete(key);
    this.#known.set(key, vector);
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxRemembered && oldest !== undefined) this.#known.delete(oldest);
  }

  #writeSoon(outcome: { model: ActiveModel; failure: string | undefined }): void {
    // Vectors of another size cannot be written with those of this model, which may fail before it gives one.
    if (this.#outcome?.model.id !== outcome.model.id) this.#unsaved.clear();
    this.#outcome = outcome;
    this.#timer ??= setTimeout(() => void this.flush(), delayMs).unref();
  }
}
