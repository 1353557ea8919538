import type { Clock } from "../base/base.js";
import { within } from "../base/within.js";
import type { FilterSql } from "../memory/read/read.js";
import type { Project } from "../project/project.js";
import type { Reader, Store } from "../storage/storage.js";
import { findActiveModel, refuseOtherSize, type ActiveModel, findReplacementFailure } from "./vectors/active-model.js";
import { BackgroundEmbedding } from "./embed/background-embedding.js";
import { BinaryVectorIndex } from "./vectors/binary-vector-index.js";
import type { Embedder, EmbeddingStatus } from "./embedding.js";
import { embedPending, failureIn, type EmbedOptions, type EmbedReport } from "./embed/embed-pending.js";
import { describeFailure } from "./embed/embed-texts.js";
import { HeldEmbedder, type Failure, type OpenEmbedder } from "./embed/held-embedder.js";
import { listNearest, type EmbeddedQuery, type Nearest } from "./vectors/list-nearest.js";
import { countEmbedded } from "./vectors/pending.js";
import { QueryVectors } from "./embed/query-vectors.js";

/** Why a question has no vector, in a sentence. `none`: no model is configured; `waiting`: the memories have none yet. */
export interface NoQueryVector {
  problem: string;
  /** The next step, where there is one. */
  hint?: string;
  reason: "none" | "waiting" | "failed";
}

export interface EmbeddingOptions {
  store: Store;
  openEmbedder: OpenEmbedder;
  now: Clock;
  /** For tests, which cannot wait as long. */
  waits?: Partial<typeof usualWaits>;
}

const usualWaits = {
  debounceMs: 250,
  pauseMs: 20,
  retryMs: 30_000,
  longestRetryMs: 600_000,
  /** Closing must not hang for what another process can finish. */
  closingMs: 1000,
};

// Longer than a server that is well takes for a question.
const answeringMs = 2000;
// The bundled model cannot hang, but has to be loaded: 2.2 s of processor time with the runtime in the package (2026-11).
const loadingMs = 10_000;

const noModel = "No embedding model is configured.";

/**
 * Holds the embedding model of a store: asks it for questions, and for memories in the background. Loads no model before
 * it is needed, and makes nobody wait for one that does not answer. Close it before the store.
 */
export class StoreEmbedding {
  readonly #store: Store;
  readonly #now: Clock;
  readonly #closingMs: number;
  readonly #embedder: HeldEmbedder;
  readonly #queries: QueryVectors;
  readonly #background: BackgroundEmbedding;
  readonly #indexes = new Map<number, BinaryVectorIndex>();
  readonly #closing = new AbortController();
  #foreground: Promise<unknown> = Promise.resolve();

  constructor({ store, openEmbedder, now, waits }: EmbeddingOptions) {
    const { closingMs, ...background } = { ...usualWaits, ...waits };
    this.#store = store;
    this.#now = now;
    this.#closingMs = closingMs;
    this.#embedder = new HeldEmbedder(openEmbedder, background.retryMs);
    this.#queries = new QueryVectors(store, now);
    this.#background = new BackgroundEmbedding(store, this.#embedder, now, background);
  }

  /** Embeds what is pending, soon and in the background. For after every write. */
  schedule(): void {
    this.#background.schedule();
  }

  /** The model itself, for texts that are no memories. Undefined where none is configured; throws where it cannot be opened. */
  async open(): Promise<Embedder | undefined> {
    return this.#embedder.get(await this.#store.read(findActiveModel));
  }

  /** The vector of a question, or why there is none. Never throws for a model, and never writes before it answers. */
  async embedQuery(text: string, options: { timeoutMs?: number } = {}): Promise<EmbeddedQuery | NoQueryVector> {
    const model = await this.#store.read(findActiveModel);
    if (model?.readyAt === undefined) return this.#explainWaiting(model);
    const known = this.#queries.recall(text, model);
    if (known) return { vector: known, model };
    const { failure } = this.#embedder;
    if (failure) return toProblem(failure);
    const { timeoutMs = model.id.startsWith("bundled:") ? loadingMs : answeringMs } = options;
    const answer = this.#ask(text, model);
    return within(timeoutMs, answer, () =>
      this.#fail({ failure: `${model.id} did not answer within ${timeoutMs / 1000} s.` }, model),
    );
  }

  /** Embeds what is pending now, and tells how it goes. Never throws for a model. */
  async embedPending(options: EmbedOptions = {}): Promise<EmbedReport> {
    const turn = this.#foreground.then(() => this.#background.whileStopped(() => this.#embedNow(options)));
    this.#foreground = turn.catch(() => undefined);
    return turn;
  }

  /** The memories of a project that mean most nearly what a question does, nearest first. */
  async listNearest(
    reader: Reader,
    project: Project,
    query: EmbeddedQuery,
    filter: FilterSql,
    limit: number,
  ): Promise<Nearest[]> {
    const known = this.#indexes.get(project.number);
    const index = known?.isOf(query.model) ? known : new BinaryVectorIndex(project, query.model);
    this.#indexes.set(project.number, index);
    return listNearest(reader, index, project, query, filter, limit);
  }

  /** How it stands with the vectors, of a project or of all. Loads no model. */
  async status(project?: Project): Promise<EmbeddingStatus> {
    return this.#store.read(async (reader) => {
      const model = await findActiveModel(reader);
      const noted = model?.failure === undefined ? await findReplacementFailure(reader) : model;
      const { failure = noted?.failure, hint } = this.#embedder.failure ?? {};
      return {
        ...(model && { modelId: model.id, dimensions: model.dimensions }),
        ready: model?.readyAt !== undefined,
        ...(await countEmbedded(reader, model, project)),
        ...(failure !== undefined && { failure }),
        ...(hint !== undefined && { hint }),
        ...(noted?.failedAt !== undefined && { failedAt: noted.failedAt }),
      };
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const ended = Promise.all([this.#background.close(), this.#foreground]);
    await within(this.#closingMs, ended, () => undefined);
    await this.#queries.flush();
    await within(this.#closingMs, this.#embedder.close(), () => undefined);
  }

  /** Goes on when the caller has given up: an answer that comes late is remembered, and the model asked again. */
  async #ask(text: string, model: ActiveModel): Promise<EmbeddedQuery | NoQueryVector> {
    const cached = await this.#queries.find(text, model);
    let embedder: Embedder | undefined;
    try {
      embedder = await this.#embedder.get(model);
      if (embedder) refuseOtherSize(embedder, model);
    } catch (error) {
      return this.#fail(describeFailure(error));
    }
    if (!embedder) return { problem: noModel, reason: "none" };
    if (this.#embedder.isReplaced(model)) {
      const problem = `The memories were embedded by ${model.id}, and this process uses ${embedder.modelId}.`;
      return { problem, hint: "Let all use the same model, or make new vectors: tacit embed", reason: "waiting" };
    }
    if (embedder.modelId !== model.id) {
      this.schedule();
      return { problem: `${embedder.modelId} has not embedded the memories yet.`, reason: "waiting" };
    }
    try {
      if (cached) return { vector: cached, model };
      const [vector] = await embedder.embed([text], "query", { signal: this.#closing.signal });
      if (!vector) return this.#fail({ failure: `${model.id} gave no vector.` }, model);
      this.#embedder.note(undefined);
      this.#queries.keep(text, model, vector);
      return { vector, model };
    } catch (error) {
      return this.#fail(describeFailure(error), model);
    }
  }

  async #explainWaiting(model: ActiveModel | undefined): Promise<NoQueryVector> {
    try {
      // Opened is not loaded: only where there is something to embed does it matter whether there is a model at all.
      if (this.#store.exists && !(await this.#embedder.get(model))) return { problem: noModel, reason: "none" };
    } catch (error) {
      return this.#fail(describeFailure(error));
    }
    this.schedule();
    return { problem: "The memories are not embedded yet.", reason: "waiting" };
  }

  /** With the model that said it, the others learn of it too; what only this process lacks is nothing to them. */
  #fail(failure: Failure, model?: ActiveModel): NoQueryVector {
    // Whoever closes has stopped asking, and the model has not failed.
    if (this.#closing.signal.aborted) return toProblem(failure);
    this.#embedder.note(failure);
    if (model) this.#queries.noteFailure(model, failure.failure);
    return toProblem(failure);
  }

  async #embedNow(options: EmbedOptions): Promise<EmbedReport> {
    if (!this.#store.exists) return { embedded: 0, pending: 0, refused: 0 };
    const active = await this.#store.read(findActiveModel);
    let embedder: Embedder | undefined;
    let problem: Failure = { failure: noModel };
    try {
      embedder = await this.#embedder.get(active);
    } catch (error) {
      problem = describeFailure(error);
      this.#fail(problem);
    }
    if (!embedder) {
      const { pending } = await this.#store.read((reader) => countEmbedded(reader, active));
      return { embedded: 0, pending, refused: 0, ...problem };
    }
    const run = { store: this.#store, embedder, now: this.#now, stop: this.#closing.signal };
    const report = await embedPending(run, options);
    this.#embedder.note(failureIn(report));
    this.#embedder.see(await this.#store.read(findActiveModel));
    return report;
  }
}

function toProblem({ failure, hint }: Failure): NoQueryVector {
  return { problem: failure, ...(hint !== undefined && { hint }), reason: "failed" };
}
