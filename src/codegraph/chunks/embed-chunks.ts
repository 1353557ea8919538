import type { Clock } from "../../base/base.js";
import {
  activateModel,
  findActiveModel,
  noteFailure,
  refuseOtherSize,
  type ActiveModel,
} from "../../embedding/vectors/vectors.js";
import {
  cacheKey,
  describeFailure,
  embedTexts,
  type Failure,
  listCached,
  storeCached,
} from "../../embedding/embed/embed.js";
import type { Embedder } from "../../embedding/embedding.js";
import type { Store } from "../../storage/storage.js";
import type { Tree } from "../codegraph.js";
import { readCleanLines } from "../files/read-clean-lines.js";
import { chunkText, hashOf } from "./chunk-text.js";
import { copyTwins, countPendingChunks, keepVectors, listPendingChunks, type PendingChunk } from "./pending-chunks.js";

export interface EmbedChunksOptions {
  /** So many chunks at most. */
  limit?: number;
  signal?: AbortSignal;
  onProgress?: (progress: { done: number; total: number }) => void;
}

export interface EmbedChunksReport extends Partial<Failure> {
  embedded: number;
  /** How many still wait, those included that were refused or have changed. */
  pending: number;
  /** The model answers, but not to these. */
  refused: number;
  /** Their files say something else by now; indexing them comes first. */
  changed: number;
}

interface Run {
  store: Store;
  tree: Tree;
  embedder: Embedder;
  now: Clock;
}

// As for memories: a transaction for 256 vectors takes 16 ms with its commit.
const chunksPerPage = 256;
const textsPerCall = 64;
// What a change of branches takes away and brings back. With more, nothing of the memories would be left in the cache.
const maxInCache = 500;

/**
 * Gives every chunk of a tree that has none a vector of the model that counts in the store. A model that is not the one
 * becomes it with the memories, by `embedPending`; until then nothing is done here. What was committed stays, so that a run
 * goes on where the last one ended, and several at once do each other no harm. A model that fails is told in the report;
 * only the store and the file system make this throw.
 */
export async function embedChunks(run: Run, options: EmbedChunksOptions = {}): Promise<EmbedChunksReport> {
  const { store, tree } = run;
  const { limit = Infinity, signal = new AbortController().signal, onProgress = () => undefined } = options;
  const report: EmbedChunksReport = { embedded: 0, pending: 0, refused: 0, changed: 0 };
  const begun = await begin(run);
  report.pending = await store.read((reader) => countPendingChunks(reader, tree, begun.model));
  if (begun.failure || !begun.model) return { ...report, ...begun.failure };
  const model = begun.model;
  const total = Math.min(limit, report.pending);
  const isCached = report.pending <= maxInCache;
  let [done, after] = [0, 0];
  let failure: Failure | undefined;
  while (done < limit && !failure && !signal.aborted) {
    const count = Math.min(chunksPerPage, limit - done);
    const page = await store.read((reader) => listPendingChunks(reader, tree, model, { after, count }));
    if (page.length === 0) break;
    const onDone = (sofar: number) => onProgress({ done: Math.min(done + sofar, total), total });
    const made = await embedPage({ ...run, model, isCached, signal, onDone }, page);
    report.embedded += made.embedded;
    report.refused += made.refused;
    report.changed += made.changed;
    ({ failure } = made);
    done += page.length;
    after = page.at(-1)?.number ?? after;
  }
  report.pending = await store.read((reader) => countPendingChunks(reader, tree, model));
  return { ...report, ...failure };
}

/** The model that counts, where it is this one. The first of a store is the one from here on. */
async function begin({ store, embedder, now }: Run): Promise<{ model?: ActiveModel; failure?: Failure }> {
  const active = await store.read(findActiveModel);
  try {
    refuseOtherSize(embedder, active);
  } catch (error) {
    return { failure: describeFailure(error) };
  }
  if (!active) return { model: await store.write(async (writer) => activateModel(writer, embedder, now())) };
  return active.id === embedder.modelId ? { model: active } : {};
}

interface PageRun extends Run {
  model: ActiveModel;
  isCached: boolean;
  signal: AbortSignal;
  onDone: (count: number) => void;
}

interface PageReport {
  embedded: number;
  refused: number;
  changed: number;
  failure?: Failure;
}

/** The model is asked outside of any transaction: it may take minutes, and others want to write. */
async function embedPage(run: PageRun, page: readonly PendingChunk[]): Promise<PageReport> {
  const { store, tree, embedder, model, isCached, signal, onDone, now } = run;
  const twins = page.filter(({ hasTwin }) => hasTwin);
  const others = page.filter(({ hasTwin }) => !hasTwin);
  const texts = await readTexts(tree, others);
  const keyed = others.flatMap((chunk) => {
    const text = texts.get(chunk.number);
    return text === undefined ? [] : [{ chunk, text, key: cacheKey(text, "document", model) }];
  });
  const keys = keyed.map(({ key }) => key);
  const known = isCached ? await store.read((reader) => listCached(reader, keys, now())) : new Map();
  const unknown = new Map(keyed.filter(({ key }) => !known.has(key)).map(({ key, text }) => [key, text]));
  let done = page.length - unknown.size;
  const onCall = (count: number) => onDone((done += count));
  if (done > 0) onDone(done);
  const made = await embedTexts(embedder, unknown, { textsPerCall, signal, onCall });

  const vectors = keyed.flatMap(({ chunk, key }) => {
    const vector = made.vectors.get(key) ?? known.get(key);
    return vector ? [{ chunk, vector }] : [];
  });
  const report = {
    refused: keyed.filter(({ key }) => made.refused.has(key)).length,
    changed: others.length - keyed.length,
    ...(made.failure && { failure: made.failure }),
  };
  if (vectors.length === 0 && twins.length === 0 && !made.failure) return { ...report, embedded: 0 };
  return store.write(async (writer) => {
    await noteFailure(writer, model, made.failure?.failure, now());
    const copied = await copyTwins(writer, model, twins);
    const kept = await keepVectors(writer, model, vectors);
    if (isCached) await storeCached(writer, made.vectors, now());
    return { ...report, embedded: copied + kept };
  });
}

/** The texts of these chunks by their numbers, read from their files; those that say something else by now are missing. */
async function readTexts(tree: Tree, chunks: readonly PendingChunk[]): Promise<Map<number, string>> {
  const texts = new Map<number, string>();
  const files = new Map<string, string[] | undefined>();
  for (const chunk of chunks) {
    const { number, path, textHash } = chunk;
    if (!files.has(path)) files.set(path, await readCleanLines(tree.root, path));
    const lines = files.get(path);
    const text = lines && chunkText(path, chunk, lines);
    if (text !== undefined && hashOf(text) === textHash) texts.set(number, text);
  }
  return texts;
}
