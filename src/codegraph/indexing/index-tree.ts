import type { Clock } from "../../base/base.js";
import type { Store, Writer } from "../../storage/storage.js";
import { findMovedSymbols } from "../history/find-moved-symbols.js";
import { findRenames } from "../history/find-renames.js";
import { pairMoved } from "../history/pair-moved.js";
import { languageOf } from "../files/languages.js";
import type { ModuleResolver } from "../link/linked-file.js";
import { createModuleResolver } from "../link/resolve-modules.js";
import { createPythonResolver } from "../python/resolve-python-modules.js";
import { applyFiles, applyGone, type Seen } from "./apply-files.js";
import { FactsShelf } from "./facts-shelf.js";
import { listKnownFiles, type KnownFile } from "./file-queries.js";
import { listUnlinked, unlinkAll } from "./link-queries.js";
import { countVotes, linkFiles, type Linking } from "./link-tree.js";
import { noteMoves, type Moves } from "./move-queries.js";
import type { ParsedFile } from "./parse-file.js";
import { parseFiles } from "./parse-pool.js";
import { scanTree, type Scan } from "./scan-tree.js";
import { ensureTree, finishTree, type TreeState } from "./tree-queries.js";

/** A work tree, and where its graph is kept. */
export interface WorkTree {
  store: Store;
  /** The number of its project, which may have to be made first. */
  project: (writer: Writer) => Promise<number>;
  root: string;
  /** Where its head stands. */
  position: () => Promise<{ commit?: string; branch?: string }>;
  now: Clock;
}

export interface IndexOptions {
  onProgress?: (progress: IndexProgress) => void;
  /** Stops between two files; what is in stays, and the next indexing goes on from there. */
  signal?: AbortSignal;
  /** How many threads parse. Default: every core but one. */
  threads?: number;
  /** Where more files than this have changed, nothing is done; the answer says how many. */
  mostChanges?: number;
}

export interface IndexProgress {
  stage: "reading" | "linking";
  done: number;
  total: number;
}

/** What an indexing did. */
export interface Indexed {
  tree: TreeState;
  /** Files that were new or had changed. */
  changed: string[];
  removed: string[];
  /** Files whose edges were found anew. */
  linked: number;
  moves: Moves;
  /** Whether it was told to stop before everything was in. */
  isStopped: boolean;
  /** Files that have changed and were left as they are known, because they were too many. */
  behind: number;
  problems: { path: string; problem: string }[];
}

// So many are put in with everything that follows from them in one transaction, so that nobody ever sees a part of it. More
// would keep other writers waiting for longer than a moment.
const atOnce = 64;
// One transaction of the many that a large change takes.
const batchFiles = 128;
const gitMs = 5000;

/** Brings the graph of a work tree into step with its files. Files that did not change are not read. */
export async function indexTree(workTree: WorkTree, options: IndexOptions = {}): Promise<Indexed> {
  const { store, root, now, position } = workTree;
  const { tree, known } = await store.write(async (writer) => {
    const begun = await ensureTree(writer, await workTree.project(writer), root, now());
    return { tree: begun, known: await listKnownFiles(writer, begun) };
  });
  const head = await position();
  const scan = await scanTree(root, known, options);
  const run: Run = {
    workTree,
    tree,
    options,
    known,
    scan,
    linking: {
      tree,
      shelf: new FactsShelf(tree),
      modules: resolverOf(scan),
      numberOf: (path) => known.get(path)?.number,
      asked: new Map(),
    },
    seen: { goneFiles: [], newFiles: [], goneSymbols: [], newSymbols: [] },
    renames:
      scan.gone.length > 0 && tree.commit !== undefined
        ? await findRenames(root, tree.commit, { timeoutMs: gitMs })
        : [],
    counts: { changed: [], removed: scan.gone.map(({ path }) => path), linked: 0 },
  };
  const { changes } = scan;
  if (changes > (options.mostChanges ?? Infinity)) {
    const nothing = { changed: [], removed: [], linked: 0, moves: { files: [], symbols: [] }, isStopped: false };
    return { tree, ...nothing, behind: changes, problems: scan.problems };
  }
  const isSmall = tree.completedAt !== undefined && changes <= atOnce;
  const { moves, isStopped } = isSmall ? await indexAtOnce(run) : await indexInParts(run);
  if (!isStopped) {
    await store.write(async (writer) => finishTree(writer, tree, { ...head, settings: scan.settingsHash, now: now() }));
  }
  return { tree, ...run.counts, moves, isStopped, behind: 0, problems: scan.problems };
}

interface Run {
  workTree: WorkTree;
  tree: TreeState;
  options: IndexOptions;
  known: Map<string, KnownFile>;
  scan: Scan;
  linking: Linking;
  seen: Seen;
  renames: { from: string; to: string }[];
  counts: { changed: string[]; removed: string[]; linked: number };
}

interface Outcome {
  moves: Moves;
  isStopped: boolean;
}

/** Everything in one transaction: whoever asks meanwhile gets the graph as it was, and then as it is. */
async function indexAtOnce(run: Run): Promise<Outcome> {
  const { workTree, scan } = run;
  const parsed: ParsedFile[] = [];
  for await (const file of parseFiles(workTree.root, scan.toParse)) parsed.push(file);
  return workTree.store.write(async (writer) => {
    await apply(writer, run, parsed);
    const moves = await settle(writer, run);
    await link(run, (work) => work(writer));
    return { moves, isStopped: false };
  });
}

/** In many transactions, each of which leaves something that the next indexing can go on from. */
async function indexInParts(run: Run): Promise<Outcome> {
  const { workTree, options, scan } = run;
  const { store, root } = workTree;
  const isStopped = () => options.signal?.aborted === true;
  let batch: ParsedFile[] = [];
  let done = 0;
  const put = async () => {
    if (batch.length === 0) return;
    const files = batch;
    batch = [];
    await store.write(async (writer) => apply(writer, run, files));
    done += files.length;
    options.onProgress?.({ stage: "reading", done, total: scan.toParse.length });
  };
  const { threads } = options;
  for await (const file of parseFiles(root, scan.toParse, { ...(threads !== undefined && { threads }) })) {
    batch.push(file);
    if (batch.length >= batchFiles) await put();
    if (isStopped()) break;
  }
  await put();
  if (isStopped()) return { moves: { files: [], symbols: [] }, isStopped: true };
  const moves = await store.write(async (writer) => settle(writer, run));
  await link(run, (work) => store.write(work));
  return { moves, isStopped: isStopped() };
}

async function apply(writer: Writer, run: Run, parsed: ParsedFile[]): Promise<void> {
  const { tree, linking, known, seen, counts } = run;
  counts.changed.push(...parsed.filter(({ state }) => state !== "same").map(({ path }) => path));
  await applyFiles(writer, linking, known, parsed, tree.completedAt === undefined ? undefined : seen);
}

/** Takes out what is gone, and tells what has moved. */
async function settle(writer: Writer, run: Run): Promise<Moves> {
  const { tree, scan, linking, known, seen, renames } = run;
  await applyGone(writer, linking, known, scan.gone, seen);
  if (tree.settings !== scan.settingsHash) await unlinkAll(writer, tree);
  const gone = new Set(seen.goneFiles.map(({ path }) => path));
  const paired = pairMoved(seen.goneFiles, seen.newFiles);
  const byGit = renames.filter(({ from, to }) => gone.has(from) && known.has(to));
  const renamed = new Map([...byGit, ...paired].map(({ from, to }) => [from, to]));
  const moves: Moves = {
    files: [...renamed].map(([from, to]) => ({ from, to })),
    symbols: findMovedSymbols(seen.goneSymbols, seen.newSymbols, renamed),
  };
  if (moves.files.length + moves.symbols.length > 0) await noteMoves(writer, tree, moves);
  return moves;
}

/** Links whatever waits for it, from this indexing or one that was stopped. */
async function link(run: Run, write: <T>(work: (writer: Writer) => Promise<T>) => Promise<T>): Promise<void> {
  const { linking, options, counts } = run;
  const { tree } = linking;
  const isStopped = () => options.signal?.aborted === true;
  const voting = await write(async (writer) => listUnlinked(writer, tree));
  for (const files of slices(voting)) {
    if (isStopped()) return;
    await write(async (writer) => countVotes(writer, linking, files));
  }
  // Votes may have turned, and others wait now as well.
  const waiting = await write(async (writer) => listUnlinked(writer, tree));
  for (const files of slices(waiting)) {
    if (isStopped()) return;
    await write(async (writer) => linkFiles(writer, linking, files));
    counts.linked += files.length;
    options.onProgress?.({ stage: "linking", done: counts.linked, total: waiting.length });
  }
}

function resolverOf({ paths, settings }: Scan): ModuleResolver {
  const tree = { files: new Set(paths), settings };
  const scripts = createModuleResolver(tree);
  const python = createPythonResolver(tree);
  return {
    resolve: (from, specifier) => (languageOf(from) === "python" ? python : scripts).resolve(from, specifier),
  };
}

function slices<T>(list: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(list.length / batchFiles) }, (_, n) =>
    list.slice(n * batchFiles, (n + 1) * batchFiles),
  );
}
