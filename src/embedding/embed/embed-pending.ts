import type { Clock } from "../../base/base.js";
import type { Store } from "../../storage/storage.js";
import {
  activateModel,
  findActiveModel,
  findModel,
  markReady,
  findReplacementFailure,
  noteFailure,
  noteReplacement,
  refuseOtherSize,
  type ActiveModel,
} from "../vectors/active-model.js";
import { describeFailure, embedTexts } from "./embed-texts.js";
import { cacheKey, storeCached, listCached, maxCached } from "./embedding-cache.js";
import type { Embedder } from "../embedding.js";
import type { Failure } from "./held-embedder.js";
import { countEmbedded, listPending, listTexts, type PendingMemory } from "../vectors/pending.js";
import { storeVectors } from "../vectors/store-vectors.js";

export interface EmbedOptions {
  /** So many memories at most. */
  limit?: number;
  /** Stops after this time, with what is done by then. */
  timeoutMs?: number;
  signal?: AbortSignal;
  onProgress?: (progress: { done: number; total: number }) => void;
}

export interface EmbedReport extends Partial<Failure> {
  embedded: number;
  /** How many still wait, those that were refused among them. */
  pending: number;
  /** The model answers, but not to these. */
  refused: number;
}

/** How a run goes about its work. */
export interface Pace {
  textsPerCall: number;
  rowsPerPage: number;
  /** How long a lock is waited for, where less than usual. */
  patienceMs?: number;
  /** Not asked for again while they say the same; what the model refuses is added. By key, what stands for the text. */
  refused: Map<number, string>;
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
 * Gives every memory that has none a vector of this model, which becomes the one that counts with its first vectors. What
 * was committed stays: a run that was killed goes on where it was, and several at once do each other no harm. A model
 * that fails is told in the report; only the store makes this throw.
 */
export async function embedPending(
  run: Run,
  options: EmbedOptions = {},
  pace = paceOf(run.store, options),
): Promise<EmbedReport> {
  const { store, embedder, now } = run;
  const { limit = Infinity, onProgress = () => undefined } = options;
  let { model, isActive, failure } = await begin(run, pace);
  const { pending } = await store.read((reader) => countEmbedded(reader, model));
  const total = Math.min(limit, pending);
  // In a long run nothing would be left of the cache but the run's own last texts.
  const isCached = pending <= maxCached;
  await askAgainForRevised(store, model, pace.refused);
  const refusedBefore = pace.refused.size;
  const ending = endWith(options, run.stop);
  let [done, embedded] = [0, 0];
  let [isThrough, isReplaced] = [false, false];
  while (!isThrough && !isReplaced && !failure && done < limit && !ending.signal.aborted) {
    const count = Math.min(pace.rowsPerPage, limit - done);
    const page = await store.read((reader) => listPending(reader, model, { count, except: pace.refused.keys() }));
    const tell = (sofar: number) => onProgress({ done: Math.min(done + sofar, total), total });
    const made = await embedPage({ ...run, ...pace, model, isActive, isCached, signal: ending.signal }, page, tell);
    for (const [key, text] of made.refused) pace.refused.set(key, text);
    done += page.length;
    embedded += made.kept;
    ({ model, isActive, failure, isReplaced } = made);
    isThrough = page.length === 0;
  }
  ending.clear();
  const { pending: left } = await store.read((reader) => countEmbedded(reader, model));
  const isReady = model.readyAt === undefined && left <= pace.refused.size;
  if (isActive ? isReady : isThrough) {
    await store.write(async (writer) => {
      if (!isActive) model = await activateModel(writer, embedder, now());
      await markReady(writer, model, [...pace.refused.keys()], now());
    }, patienceOf(pace));
  }
  await tellOfReplacement(store, isActive ? undefined : failure?.failure, now(), pace);
  return { embedded, pending: left, refused: pace.refused.size - refusedBefore, ...failure };
}

/** For `doctor`, which is another process; nothing is written where nothing has changed. */
async function tellOfReplacement(store: Store, failure: string | undefined, now: Date, pace: Pace): Promise<void> {
  const known = await store.read(findReplacementFailure);
  if (known === undefined && failure === undefined) return;
  await store.write(async (writer) => noteReplacement(writer, failure, now), patienceOf(pace));
}

/** Why a run stopped, if the model did not answer. */
export function failureIn({ failure, hint }: EmbedReport): Failure | undefined {
  return failure === undefined ? undefined : { failure, ...(hint !== undefined && { hint }) };
}

// Where time is short, what was made before it is over must not be lost with the rest of its call, nor a lock be waited for.
const hurried = { textsPerCall: 8, patienceMs: 250 };

function paceOf(store: Store, { timeoutMs }: EmbedOptions): Pace {
  const usual = store.location.kind === "remote" ? throughServer : fullSpeed;
  return { ...usual, ...(timeoutMs !== undefined && hurried), refused: new Map() };
}

function patienceOf({ patienceMs }: Pick<Pace, "patienceMs">): { timeoutMs?: number } {
  return patienceMs === undefined ? {} : { timeoutMs: patienceMs };
}

/** A model as it takes part in a run. */
interface Standing {
  model: ActiveModel;
  /** False until the first vectors of a model that takes the place of another one are stored. */
  isActive: boolean;
  failure: Failure | undefined;
}

async function begin({ store, embedder, now }: Run, pace: Pace): Promise<Standing> {
  const { modelId: id, dimensions, candidateDimensions } = embedder;
  const [active, known] = await store.read(async (reader) => [
    await findActiveModel(reader),
    // No row has the number 0: of a model that is new here, nobody has a vector.
    (await findModel(reader, id)) ?? { number: 0, id, dimensions },
  ]);
  try {
    refuseOtherSize(embedder, known);
  } catch (error) {
    return { model: known, isActive: active?.id === id, failure: describeFailure(error) };
  }
  const isSame = active?.id === id && active.candidateDimensions === candidateDimensions;
  // Nothing is lost with the first model of a store if it does not answer, and `doctor` can tell what it said.
  const model =
    isSame || (active && active.id !== id)
      ? known
      : await store.write(async (writer) => activateModel(writer, embedder, now()), patienceOf(pace));
  return { model, isActive: !active || active.id === id, failure: undefined };
}

/** What was refused and says something else now, or is gone, is no longer refused. */
async function askAgainForRevised(store: Store, model: ActiveModel, refused: Map<number, string>): Promise<void> {
  if (refused.size === 0) return;
  const texts = await store.read((reader) => listTexts(reader, refused.keys()));
  for (const [key, before] of refused) {
    const text = texts.get(key);
    if (text === undefined || cacheKey(text, "document", model) !== before) refused.delete(key);
  }
}

interface PageReport extends Standing {
  kept: number;
  refused: [key: number, text: string][];
  /** True when somebody has made another model the one that counts. */
  isReplaced: boolean;
}

/** The model is asked outside of any transaction: it may take minutes, and others want to write. */
async function embedPage(
  run: Run & Pace & { model: ActiveModel; isActive: boolean; isCached: boolean; signal: AbortSignal },
  page: PendingMemory[],
  onDone: (count: number) => void,
): Promise<PageReport> {
  const { store, embedder, isActive, isCached, now } = run;
  const keyed = page.map((memory) => ({ memory, key: cacheKey(memory.text, "document", run.model) }));
  const keys = keyed.map(({ key }) => key);
  const known = isCached ? await store.read((reader) => listCached(reader, keys, now())) : new Map();
  const unknown = new Map(keyed.filter(({ key }) => !known.has(key)).map(({ key, memory }) => [key, memory.text]));
  let done = page.length - unknown.size;
  if (done > 0) onDone(done);
  const made = await embedTexts(embedder, unknown, { ...run, onCall: (count) => onDone((done += count)) });

  const vectors = keyed.flatMap(({ key, memory }) => {
    const vector = made.vectors.get(key) ?? known.get(key);
    return vector ? [{ memory, vector }] : [];
  });
  const refused = keyed
    .filter(({ key }) => made.refused.has(key))
    .map(({ key, memory }): [number, string] => [memory.key, key]);
  const report = { model: run.model, isActive, refused, failure: made.failure, kept: 0, isReplaced: false };
  if (vectors.length === 0 && (!made.failure || !isActive)) return report;
  return store.write(async (writer) => {
    const model = isActive ? run.model : await activateModel(writer, embedder, now());
    await noteFailure(writer, model, made.failure?.failure, now());
    const kept = await storeVectors(writer, model, vectors);
    if (isCached) {
      // What was purged meanwhile leaves nothing here either.
      const standing = keyed.filter(({ key, memory }) => made.vectors.has(key) && kept.has(memory.key));
      const cached = standing.map(({ key }): [string, Float32Array] => [key, made.vectors.get(key) as Float32Array]);
      await storeCached(writer, new Map(cached), now());
    }
    const isReplaced = (await findActiveModel(writer))?.number !== model.number;
    return { ...report, model, isActive: true, kept: kept.size, isReplaced };
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
