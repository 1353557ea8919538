import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../base/base.js";
import type { Store } from "../../storage/storage.js";
import { findActiveModel } from "../vectors/active-model.js";
import { embedPending, failureIn } from "./embed-pending.js";
import { describeFailure } from "./embed-texts.js";
import type { HeldEmbedder } from "./held-embedder.js";
import { hasPending } from "../vectors/pending.js";

export interface BackgroundWaits {
  /** From a write until its memories are embedded, so that what is written in a row is embedded together. */
  debounceMs: number;
  /** Between two portions, for those who wait for something else. */
  pauseMs: number;
  /** After a failure; twice as long after each further one, up to the longest. */
  retryMs: number;
  longestRetryMs: number;
}

// Little at a time, so that little is lost when the process ends. A lock is hardly waited for: that would block the event
// loop of somebody who has not asked for this.
const unhurried = { textsPerCall: 16, rowsPerPage: 32, patienceMs: 250 };

/** Embeds what is pending while nobody waits for it, a little at a time. */
export class BackgroundEmbedding {
  readonly #store: Store;
  readonly #embedder: HeldEmbedder;
  readonly #now: Clock;
  readonly #waits: BackgroundWaits;
  /** What the model refused is not asked for again by this process, unless somebody waits for it. */
  readonly #refused = new Map<number, string>();
  #timer: NodeJS.Timeout | undefined;
  #run: { stop: AbortController; ended: Promise<void> } | undefined;
  #failures = 0;
  /** How many wait in the foreground. */
  #guests = 0;
  #isClosed = false;

  constructor(store: Store, embedder: HeldEmbedder, now: Clock, waits: BackgroundWaits) {
    this.#store = store;
    this.#embedder = embedder;
    this.#now = now;
    this.#waits = waits;
  }

  /** Starts soon, unless it is under way or waits for a model to recover. */
  schedule(): void {
    this.#startAfter(this.#waits.debounceMs);
  }

  /** Does what somebody waits for while nothing else is under way here. */
  async whileStopped<T>(work: () => Promise<T>): Promise<T> {
    this.#guests += 1;
    try {
      await this.#stop();
      return await work();
    } finally {
      this.#guests -= 1;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#stop();
  }

  /** Resolves when nothing is under way any more. What was embedded stays. */
  async #stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#run?.stop.abort();
    await this.#run?.ended;
  }

  #startAfter(ms: number): void {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#run || this.#guests > 0) this.schedule();
      else this.#start();
    }, ms).unref();
  }

  #start(): void {
    const stop = new AbortController();
    const ended = this.#work(stop.signal)
      .catch(() => this.#backOff())
      .finally(() => (this.#run = undefined));
    this.#run = { stop, ended };
  }

  async #work(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.#isDue())) {
      const embedder = await this.#openEmbedder();
      if (!embedder) return;
      const report = await embedPending(
        { store: this.#store, embedder, now: this.#now },
        { limit: unhurried.rowsPerPage, signal },
        { ...unhurried, refused: this.#refused },
      );
      this.#embedder.note(failureIn(report));
      if (report.failure !== undefined) return this.#backOff();
      this.#failures = 0;
      if (report.embedded + report.refused === 0) return;
      // Keeps no process alive, so nothing may wait for its end: stopping must wake it, or the process ends inside an await.
      await sleep(this.#waits.pauseMs, undefined, { ref: false, signal }).catch(() => undefined);
    }
  }

  /** No model is opened where nothing waits for one. */
  async #isDue(): Promise<boolean> {
    if (!this.#store.exists) return false;
    return this.#store.read(async (reader) => {
      const model = await findActiveModel(reader);
      this.#embedder.see(model);
      const isUnfinished = model !== undefined && model.readyAt === undefined;
      return isUnfinished || this.#embedder.isOther(model) || (await hasPending(reader, model));
    });
  }

  async #openEmbedder() {
    try {
      const active = await this.#store.read(findActiveModel);
      const embedder = await this.#embedder.get(active);
      return this.#embedder.isReplaced(active) ? undefined : embedder;
    } catch (error) {
      this.#embedder.note(describeFailure(error));
      throw error;
    }
  }

  #backOff(): void {
    this.#failures += 1;
    const { retryMs, longestRetryMs } = this.#waits;
    this.#startAfter(Math.min(retryMs * 2 ** (this.#failures - 1), longestRetryMs));
  }
}
