import type { ActiveModel } from "./active-model.js";
import type { Embedder } from "./embedder.js";

/** Opens the model that the configuration names; undefined: none. `stored` is the one whose vectors the store holds. */
export type OpenEmbedder = (stored?: { modelId: string; dimensions: number }) => Promise<Embedder | undefined>;

/** Holds a model open from when it is first needed, and knows how it last answered. */
export class HeldEmbedder {
  readonly #open: OpenEmbedder;
  readonly #silenceMs: number;
  #opening: Promise<Embedder | undefined> | undefined;
  #current: Embedder | undefined;
  /** Whether this process has seen its model be the one that counts. */
  #wasActive = false;
  #silence: { failure: string; until: number } | undefined;

  constructor(open: OpenEmbedder, silenceMs: number) {
    this.#open = open;
    this.#silenceMs = silenceMs;
  }

  /** What it failed with, as long as it is not worth asking again. */
  get failure(): string | undefined {
    return this.#silence && performance.now() < this.#silence.until ? this.#silence.failure : undefined;
  }

  note(failure: string | undefined): void {
    this.#silence = failure === undefined ? undefined : { failure, until: performance.now() + this.#silenceMs };
  }

  /** True when a model is open that is not the one whose vectors count. */
  isOther(active: ActiveModel | undefined): boolean {
    return active !== undefined && this.#current !== undefined && this.#current.modelId !== active.id;
  }

  /** Undefined when none is configured. Throws what opening throws, and tries again the next time. */
  async get(active: ActiveModel | undefined): Promise<Embedder | undefined> {
    // Another process has switched the model since: what the configuration says now counts, or the two would take turns
    // in embedding everything anew.
    if (this.#wasActive && this.isOther(active)) await this.close();
    this.#opening ??= this.#open(active && { modelId: active.id, dimensions: active.dimensions });
    const opening = this.#opening;
    try {
      this.#current = await opening;
    } finally {
      if (!this.#current && this.#opening === opening) this.#opening = undefined;
    }
    if (this.#current && this.#current.modelId === active?.id) this.#wasActive = true;
    return this.#current;
  }

  async close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    this.#current = undefined;
    this.#wasActive = false;
    const embedder = await opening?.catch(() => undefined);
    await embedder?.close?.().catch(() => undefined);
  }
}
