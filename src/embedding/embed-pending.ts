import type { Clock } from "../base/base.js";
import type { Store } from "../storage/storage.js";
import { activateModel, findActiveModel, markReady, noteFailure, type ActiveModel } from "./active-model.js";
import { embedTexts } from "./embed-texts.js";
import { cacheKey, keepCached, listCached, mostCached } from "./embedding-cache.js";
import type { Embedder } from "./embedder.js";
import { countEmbedded, listPending, type PendingMemory } from "./pending.js";
import { storeVectors } from "./store-vectors.js";

export interface EmbedOptions {
  /** So many memories at most. */
  limit?: number;
  /** Stops after this time, with what is done by then. */
  timeoutMs?: number;
  signal?: AbortSignal;
  onProgress?: (progress: { done: number; total: number }) => void;
}

export interface EmbedReport {
  embedded: number;
  /** How many still wait, those that were refused among them. */
  pending: number;
  /** The model answers, but not to these. */
  refused: number;
  /** Why it stopped, when the model does not answer. */
  failure?: string;
}

/** How a run goes about its work. */
export interface Pace {
  textsPerCall: number;
  rowsPerPage: number;
  /** How long a lock is waited for, where less than usual. */
  patienceMs?: number;
  /** Not asked for again; what the model refuses is added. */
  refused: Set<number>;
}

// A transaction for 256 vectors takes 16 ms with its commit, the model half a second at least (2026-11).
const fullSpeed = { textsPerCall: 64, rowsPerPage: 256 };
// A server sends no more than 10 MB at once (sqld), and a memory may hold 64 KiB.
const throughServer = { textsPerCall: 50, rowsPerPage: 50 };

interface Run {
  store: Store;
  embedder: Embedder;
  now: Clock;
  /** Ends it, whatever the caller says. */
  stop?: AbortSignal;
}

/**
 * Gives every memory that has none a vector of this model, which becomes the one that counts. What was committed stays:
 * a run that was killed goes on where it was, and several at once do each other no harm. A model that fails is told in
 * the report; only the store makes this throw.
 */
export async function embedPending(
  run: Run,
  options: EmbedOptions = {},
  pace = paceOf(run.store, options),
): Promise<EmbedReport> {
  const { store, now } = run;
  const { limit = Infinity, onProgress = () => undefined } = options;
  const model = await activate(run, pace);
  const { pending } = await store.read((reader) => countEmbedded(reader, model));
  const total = Math.min(limit, pending);
  // In a long run nothing would be left of the cache but the run's own last texts.
  const isCached = pending <= mostCached;
  const refusedBefore = pace.refused.size;
  const ending = endWith(options, run.stop);
  let [done, embedded] = [0, 0];
  let failure: string | undefined;
  let isThrough = false;
  while (!isThrough && failure === undefined && done < limit && !ending.signal.aborted) {
    const count = Math.min(pace.rowsPerPage, limit - done);
    const page = await store.read((reader) => listPending(reader, model, { count, except: pace.refused }));
    const tell = (sofar: number) => onProgress({ done: Math.min(done + sofar, total), total });
    const made = await embedPage({ ...run, ...pace, model, isCached, signal: ending.signal }, page, tell);
    for (const key of made.refused) pace.refused.add(key);
    done += page.length;
    embedded += made.kept;
    failure = made.failure;
    isThrough = page.length === 0 || made.isReplaced;
  }
  ending.clear();
  const { pending: left } = await store.read((reader) => countEmbedded(reader, model));
  if (model.readyAt === undefined && left <= pace.refused.size) {
    await store.write(async (writer) => markReady(writer, model, [...pace.refused], now()), patienceOf(pace));
  }
  return {
    embedded,
    pending: left,
    refused: pace.refused.size - refusedBefore,
    ...(failure !== undefined && { failure }),
  };
}

// Where time is short, what was made before it is over must not be lost with the rest of its call, nor a lock be waited for.
const hurried = { textsPerCall: 8, patienceMs: 250 };

function paceOf(store: Store, { timeoutMs }: EmbedOptions): Pace {
  const usual = store.location.kind === "remote" ? throughServer : fullSpeed;
  return { ...usual, ...(timeoutMs !== undefined && hurried), refused: new Set() };
}

function patienceOf({ patienceMs }: Pick<Pace, "patienceMs">): { timeoutMs?: number } {
  return patienceMs === undefined ? {} : { timeoutMs: patienceMs };
}

async function activate({ store, embedder, now }: Run, pace: Pace): Promise<ActiveModel> {
  const model = await store.read(findActiveModel);
  if (model?.id === embedder.modelId) return model;
  return store.write(async (writer) => activateModel(writer, embedder, now()), patienceOf(pace));
}

interface PageReport {
  kept: number;
  refused: number[];
  failure: string | undefined;
  /** True when somebody has made another model the one that counts. */
  isReplaced: boolean;
}

/** The model is asked outside of any transaction: it may take minutes, and others want to write. */
async function embedPage(
  run: Run & Pace & { model: ActiveModel; isCached: boolean; signal: AbortSignal },
  page: PendingMemory[],
  onDone: (count: number) => void,
): Promise<PageReport> {
  const { store, model, isCached, now } = run;
  const keyed = page.map((memory) => ({ memory, key: cacheKey(memory.text, "document", model) }));
  const keys = keyed.map(({ key }) => key);
  const known = isCached ? await store.read((reader) => listCached(reader, keys, now())) : new Map();
  const unknown = new Map(keyed.filter(({ key }) => !known.has(key)).map(({ key, memory }) => [key, memory.text]));
  let done = page.length - unknown.size;
  if (done > 0) onDone(done);
  const made = await embedTexts(run.embedder, unknown, { ...run, onCall: (count) => onDone((done += count)) });

  const vectors = keyed.flatMap(({ key, memory }) => {
    const vector = made.vectors.get(key) ?? known.get(key);
    return vector ? [{ memory, vector }] : [];
  });
  const refused = keyed.filter(({ key }) => made.refused.has(key)).map(({ memory }) => memory.key);
  const report = { refused, failure: made.failure };
  if (vectors.length === 0 && made.failure === undefined) return { ...report, kept: 0, isReplaced: false };
  return store.write(async (writer) => {
    if (isCached) await keepCached(writer, made.vectors, now());
    await noteFailure(writer, model, made.failure, now());
    const kept = await storeVectors(writer, model, vectors);
    return { ...report, kept, isReplaced: (await findActiveModel(writer))?.number !== model.number };
  }, patienceOf(run));
}

/** A signal for every way to end early. Not by AbortSignal.any(): see storage/connect-remote.ts. */
function endWith(
  { timeoutMs, signal }: EmbedOptions,
  stop: AbortSignal | undefined,
): { signal: AbortSignal; clear: () => void } {
  const ending = new AbortController();
  const end = () => ending.abort();
  const timer = timeoutMs === undefined ? undefined : setTimeout(end, timeoutMs);
  for (const given of [signal, stop]) {
    if (given?.aborted) end();
    given?.addEventListener("abort", end);
  }
  return {
    signal: ending.signal,
    clear: () => {
      clearTimeout(timer);
      for (const given of [signal, stop]) given?.removeEventListener("abort", end);
    },
  };
}
