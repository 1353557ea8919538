import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../base/base.js";
import { MemoryError } from "../../base/memory-error.js";
import type { Ignoring } from "../../project/ignore/ignore.js";
import type { Reader, Store, Writer } from "../../storage/storage.js";
import { findMovedSymbols } from "../history/find-moved-symbols.js";
import { findRenames } from "../history/find-renames.js";
import { inferRenames } from "../history/infer-renames.js";
import { pairMoved } from "../history/pair-moved.js";
import { languageOf } from "../languages/language-of.js";
import { languages } from "../languages/languages.js";
import type { Resolution } from "../languages/module-resolver.js";
import { applyFiles, applyGone } from "./apply-files.js";
import { FactsCache } from "./facts-cache.js";
import { listKnownFiles, touchFiles, type KnownFile } from "./file-queries.js";
import { listUnlinked, unlinkAll } from "./link-queries.js";
import { countVotes, linkFiles, type Linking } from "./link-files.js";
import { storeSightings, noteNews, takeSightings, type Moves, type Sightings } from "../tree/news-queries.js";
import type { ParsedFile } from "./parse-file.js";
import { parseFiles } from "./parse-pool.js";
import { isSettled, scanTree, type Scan } from "./scan-tree.js";
import { SpaceCache } from "./space-cache.js";
import { ensureTree, findTree, finishTree, noteWrite, type TreeState } from "../tree/tree-queries.js";

/** A work tree, and where its graph is kept. */
export interface WorkTree {
  store: Store;
  /** The number of its project; undefined where there is none yet. */
  findProject: (reader: Reader) => Promise<number | undefined>;
  /** The same, and it is made where there is none. */
  ensureProject: (writer: Writer) => Promise<number>;
  root: string;
  /** Paths that are none of its files, such as the store's own. */
  leaveOut?: ReadonlySet<string>;
  /** What is never indexed. */
  ignoring?: () => Promise<Ignoring>;
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
  /** Where more files than this have changed, or all would have to be linked anew, nothing is done; the answer says how many. */
  maxChanges?: number;
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
const respiteMs = 250;
const noteMs = 50;

/**
 * Brings the graph of a work tree into step with its files. Files that did not change are not read. Where another process
 * indexes the same tree meanwhile, each begins anew with what the other has done: what it knows of the files and found
 * their edges from is no longer so. One of the two has always got further by that.
 */
export async function indexTree(workTree: WorkTree, options: IndexOptions = {}): Promise<Indexed> {
  const done: Done = {
    counts: { changed: [], removed: [], linked: 0 },
    moves: { files: [], symbols: [] },
  };
  for (;;) {
    try {
      return await indexOnce(workTree, options, done);
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
      // The other one is at work: let it get on, instead of parsing the same files beside it.
      await sleep(respiteMs);
    }
  }
}

/** Another process has written to the tree since this one looked at it. */
class Overtaken extends Error {}

/** What was written so far, however often it was begun. */
interface Done {
  counts: { changed: string[]; removed: string[]; linked: number };
  moves: Moves;
}

async function indexOnce(workTree: WorkTree, options: IndexOptions, done: Done): Promise<Indexed> {
  const { root, now, position, leaveOut } = workTree;
  const { tree, known, waiting } = await begin(workTree);
  const head = await position();
  const ignoring = await workTree.ignoring?.();
  const scanning = { ...options, ...(leaveOut && { leaveOut }), ...(ignoring && { ignoring }) };
  const scan = await scanTree(root, known, scanning).catch((error: unknown) => {
    if (options.signal?.aborted !== true) throw error;
  });
  if (!scan) return { tree, ...done.counts, moves: done.moves, isStopped: true, behind: 0, problems: [] };
  const run: Run = {
    workTree,
    tree,
    writes: tree.writes,
    options,
    known,
    scan,
    linking: {
      tree,
      cache: new FactsCache(tree),
      numberOf: (path) => known.get(path)?.number,
      asked: new Map(),
    },
    ...done,
    isElseInStep: waiting === 0 && isInStep({ tree, scan }, head),
    renames:
      scan.gone.length > 0 && tree.commit !== undefined
        ? (await findRenames(root, tree.commit, { timeoutMs: gitMs })).filter(
            ({ to }) => ignoring?.path(to, { isFile: true }) === undefined,
          )
        : [],
  };
  const { changes } = scan;
  const { counts, moves } = run;
  const nothing = { tree, ...counts, moves, isStopped: false, problems: scan.problems };
  const { maxChanges = Infinity } = options;
  const toLink = hasOtherSettings(run) && tree.completedAt !== undefined ? known.size : waiting;
  if (changes > maxChanges || toLink > maxChanges) return { ...nothing, behind: Math.max(changes, toLink) };
  // Nobody writes where there is nothing to write: others would wait for it, or begin anew.
  if (run.isElseInStep && scan.toParse.length === 0) return { ...nothing, behind: 0 };
  const isSmall = tree.completedAt !== undefined && changes <= atOnce && waiting <= batchFiles;
  const isStopped = isSmall ? await indexAtOnce(run) : await indexInParts(run);
  if (!isStopped && run.writes > tree.writes) {
    const finished = { ...head, settings: scan.settingsHash, now: now() };
    await write(run, async (writer) => finishTree(writer, tree, finished));
  }
  return { tree, ...counts, moves, isStopped, behind: 0, problems: scan.problems };
}

interface Begun {
  tree: TreeState;
  known: Map<string, KnownFile>;
  /** How many files wait to be linked. */
  waiting: number;
}

/** What is known of a tree. Read only, unless this is the first that is heard of it: a question must not wait for who writes. */
async function begin({ store, root, now, ...workTree }: WorkTree): Promise<Begun> {
  const look = async (reader: Reader, tree: TreeState): Promise<Begun> => ({
    tree,
    known: await listKnownFiles(reader, tree),
    waiting: (await listUnlinked(reader, tree)).length,
  });
  const begun = await store.snapshot(async (reader) => {
    const project = await workTree.findProject(reader);
    const tree = project === undefined ? undefined : await findTree(reader, project, root);
    return tree && look(reader, tree);
  });
  if (begun) return begun;
  return store.write(async (writer) =>
    look(writer, await ensureTree(writer, await workTree.ensureProject(writer), root, now())),
  );
}

interface Run extends Done {
  workTree: WorkTree;
  tree: TreeState;
  /** How often the tree was written to, as far as this indexing knows. */
  writes: number;
  options: IndexOptions;
  known: Map<string, KnownFile>;
  scan: Scan;
  linking: Omit<Linking, "modules" | "resolveSpace" | "spaces">;
  renames: { from: string; to: string }[];
  /** Whether, but for files that are still to be read, everything is as it is known. */
  isElseInStep: boolean;
}

function isInStep({ tree, scan }: Pick<Run, "tree" | "scan">, head: { commit?: string; branch?: string }): boolean {
  if (tree.completedAt === undefined || hasOtherSettings({ tree, scan })) return false;
  return tree.commit === head.commit && tree.branch === head.branch && scan.gone.length === 0;
}

function hasOtherSettings({ tree, scan }: Pick<Run, "tree" | "scan">): boolean {
  return tree.settings !== scan.settingsHash;
}

/** Everything in one transaction: whoever asks meanwhile gets the graph as it was, and then as it is. */
async function indexAtOnce(run: Run): Promise<boolean> {
  const { workTree, scan } = run;
  const parsed: ParsedFile[] = [];
  for await (const file of parseFiles(workTree.root, scan.toParse)) parsed.push(file);
  // They had only been read too soon after they changed, or only their time has changed.
  const isSame = parsed.every(({ state }) => state === "same") && parsed.length === scan.toParse.length;
  if (run.options.maxChanges !== undefined && isSame && run.isElseInStep) {
    await noteSame(run, parsed);
    return false;
  }
  await write(run, async (writer) => {
    await apply(writer, run, parsed);
    await settle(writer, run);
    // Whoever wants to stop it now waits for a moment: half of it would be seen.
    await link({ ...run, options: {} }, (work) => work(writer));
  });
  if (!hasOtherSettings(run)) return false;
  // Every file may lead elsewhere now. That takes seconds, in which others want to write: 2,400 files took 5 (2026-11).
  await write(run, async (writer) => unlinkAll(writer, run.tree));
  await link(run, (work) => write(run, work));
  return run.options.signal?.aborted === true;
}

/**
 * Notes that files are as they are known, so that the next question does not read them again. Says nothing of the tree that
 * another indexing could be overtaken by, and whoever asks does not wait for it: while somebody else writes, or where nobody
 * may, it is left to the next question.
 */
async function noteSame({ workTree: { store }, tree }: Run, parsed: readonly ParsedFile[]): Promise<void> {
  const settled = parsed.filter(isSettled);
  if (settled.length === 0) return;
  try {
    await store.write(async (writer) => touchFiles(writer, tree, settled), { timeoutMs: noteMs });
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
  }
}

/** In many transactions, each of which leaves something that the next indexing can go on from. Tells whether it was stopped. */
async function indexInParts(run: Run): Promise<boolean> {
  const { workTree, options, scan } = run;
  const { root } = workTree;
  const isStopped = () => options.signal?.aborted === true;
  let batch: ParsedFile[] = [];
  let done = 0;
  const put = async () => {
    if (batch.length === 0) return;
    const files = batch;
    batch = [];
    await write(run, async (writer) => apply(writer, run, files));
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
  if (isStopped()) return true;
  await write(run, async (writer) => {
    await settle(writer, run);
    if (hasOtherSettings(run)) await unlinkAll(writer, run.tree);
  });
  await link(run, (work) => write(run, work));
  return isStopped();
}

/** Writes, unless another process has done so since this indexing last did. */
async function write<T>(run: Run, work: (writer: Writer) => Promise<T>): Promise<T> {
  return run.workTree.store.write(async (writer) => {
    if ((await noteWrite(writer, run.tree)) !== run.writes + 1) throw new Overtaken();
    run.writes += 1;
    return work(writer);
  });
}

async function apply(writer: Writer, run: Run, parsed: ParsedFile[]): Promise<void> {
  const { tree, linking, known, counts } = run;
  counts.changed.push(...parsed.filter(({ state }) => state !== "same").map(({ path }) => path));
  if (tree.completedAt === undefined) return applyFiles(writer, linking, known, parsed, undefined);
  const seen = nothingSeen();
  await applyFiles(writer, linking, known, parsed, seen);
  await storeSightings(writer, tree, seen);
}

function nothingSeen(): Sightings {
  return { goneFiles: [], newFiles: [], goneSymbols: [], newSymbols: [], changed: [] };
}

/** Takes out what is gone, and notes what has moved. */
async function settle(writer: Writer, run: Run): Promise<void> {
  const { tree, scan, linking, known, renames, counts } = run;
  const seen = await takeSightings(writer, tree);
  await applyGone(writer, linking, known, scan.gone, seen);
  const gone = new Set(seen.goneFiles.map(({ path }) => path));
  const paired = pairMoved(seen.goneFiles, seen.newFiles);
  const byGit = renames.filter(({ from, to }) => gone.has(from) && known.has(to));
  const renamed = new Map([...byGit, ...paired].map(({ from, to }) => [from, to]));
  for (const { from, to } of inferRenames(seen, renamed)) renamed.set(from, to);
  const moves: Moves = {
    files: [...renamed].map(([from, to]) => ({ from, to })),
    symbols: findMovedSymbols(seen.goneSymbols, seen.newSymbols, renamed),
  };
  const removed = scan.gone.map(({ path }) => path);
  const changed = tree.completedAt === undefined ? ("all" as const) : seen.changed;
  const isNews = changed.length + removed.length > 0;
  counts.removed.push(...removed);
  if (isNews) await noteNews(writer, tree, { ...moves, changed, removed });
  run.moves.files.push(...moves.files);
  run.moves.symbols.push(...moves.symbols);
}

/** Links whatever waits for it, from this indexing or one that was stopped. */
async function link(run: Run, within: <T>(work: (writer: Writer) => Promise<T>) => Promise<T>): Promise<void> {
  const { options, counts } = run;
  const { tree } = run.linking;
  const isStopped = () => options.signal?.aborted === true;
  const voting = await within(async (writer) => listUnlinked(writer, tree));
  const spaces = await within(async (writer) => SpaceCache.open(writer, tree, voting.length));
  const linking = { ...run.linking, ...resolversOf(run), spaces };
  for (const files of slices(voting)) {
    if (isStopped()) return;
    await within(async (writer) => countVotes(writer, linking, files));
  }
  // Votes may have turned, and others wait now as well.
  const waiting = await within(async (writer) => listUnlinked(writer, tree));
  for (const files of slices(waiting)) {
    if (isStopped()) return;
    await within(async (writer) => linkFiles(writer, linking, files));
    counts.linked += files.length;
    options.onProgress?.({ stage: "linking", done: counts.linked, total: waiting.length });
  }
}

/** Lead to files that are in, and not to one that was listed and gone before it was read: nobody would hear of its end. */
function resolversOf({ scan: { paths, settings }, known }: Run): Pick<Linking, "modules" | "resolveSpace"> {
  const tree = { files: new Set(paths.filter((path) => known.has(path))), settings };
  const resolvers = new Map(
    languages.map((language) => [
      language,
      { modules: language.createResolver?.(tree), resolveSpace: language.createSpaceResolver?.(tree) },
    ]),
  );
  const resolverOf = (from: string) => {
    const language = languageOf(from);
    return language && resolvers.get(language);
  };
  return {
    modules: { resolve: (from, specifier) => resolverOf(from)?.modules?.resolve(from, specifier) ?? nowhere },
    resolveSpace: (from, space) => {
      const resolve = resolverOf(from)?.resolveSpace;
      return resolve ? resolve(from, space) : space;
    },
  };
}

const nowhere: Resolution = { stems: [] };

function slices<T>(list: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(list.length / batchFiles) }, (_, n) =>
    list.slice(n * batchFiles, (n + 1) * batchFiles),
  );
}
