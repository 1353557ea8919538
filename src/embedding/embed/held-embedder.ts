import { MemoryError } from "../../base/memory-error.js";
import type { ActiveModel } from "../vectors/active-model.js";
import type { Embedder } from "../embedding.js";

/** Opens the model that the configuration names; undefined: none. `stored` is the one whose vectors the store holds. */
export type OpenEmbedder = (stored?: { modelId: string; dimensions: number }) => Promise<Embedder | undefined>;

/** What a model could not do, and the next step where one is known. */
export interface Failure {
  failure: string;
  hint?: string;
}

/** Holds a model open from when it is first needed, and knows how it last answered. */
export class HeldEmbedder {
  readonly #open: OpenEmbedder;
  readonly #silenceMs: number;
  #opening: Promise<Embedder | undefined> | undefined;
  #current: Embedder | undefined;
  #isClosed = false;
  /** The model that was chosen last, and the one that counted then. */
  #chosen: { modelId: string; insteadOf: string | undefined } | undefined;
  /** Whether this process has seen its model be the one that counts. */
  #wasActive = false;
  #silence: (Failure & { until: number }) | undefined;

  constructor(open: OpenEmbedder, silenceMs: number) {
    this.#open = open;
    this.#silenceMs = silenceMs;
  }

  /** What it failed with, as long as it is not worth asking again. */
  get failure(): Failure | undefined {
    if (!this.#silence || performance.now() >= this.#silence.until) return undefined;
    const { until: _, ...failure } = this.#silence;
    return failure;
  }

  note(failure: Failure | undefined): void {
    this.#silence = failure && { ...failure, until: performance.now() + this.#silenceMs };
  }

  /** True when a model is open that is not the one whose vectors count. */
  isOther(active: ActiveModel | undefined): boolean {
    return active !== undefined && this.#current !== undefined && this.#current.modelId !== active.id;
  }

  /**
   * True when somebody else has made another model the one that counts since this one was chosen. It does not take its
   * place back unless it is told to: two processes would take turns in embedding everything anew.
   */
  isReplaced(active: ActiveModel | undefined): boolean {
    return this.isOther(active) && (this.#wasActive || this.#chosen?.insteadOf !== active?.id);
  }

  /** Learns which model counts now. */
  see(active: ActiveModel | undefined): void {
    if (this.#current && this.#current.modelId === active?.id) this.#wasActive = true;
  }

  /** Undefined when none is configured. Throws what opening throws, and tries again the next time. */
  async get(active: ActiveModel | undefined): Promise<Embedder | undefined> {
    // What the configuration says now may be what the other process has read in it.
    if (this.isReplaced(active)) await this.#release();
    if (this.#isClosed) throw new MemoryError("model-failed", "The memory is closed.", "Open it again.");
    const opening = (this.#opening ??= this.#open(active && { modelId: active.id, dimensions: active.dimensions }));
    let embedder: Embedder | undefined;
    try {
      embedder = await opening;
    } finally {
      if (!embedder && this.#opening === opening) this.#opening = undefined;
    }
    // Released while it was opened: it is closed by now.
    if (embedder && this.#opening !== opening) return this.get(active);
    this.#current = embedder;
    if (embedder && embedder.modelId !== this.#chosen?.modelId) {
      this.#chosen = { modelId: embedder.modelId, insteadOf: active?.id };
      this.#wasActive = false;
    }
    this.see(active);
    return embedder;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#release();
  }

  async #release(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    this.#current = undefined;
    const embedder = await opening?.catch(() => undefined);
    await embedder?.close?.().catch(() => undefined);
  }
}
