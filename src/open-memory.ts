import { join, resolve } from "node:path";
import { homeFolder } from "./base/home-folder.js";
import { MemoryError } from "./base/memory-error.js";
import { openCode } from "./code.js";
import type { Code } from "./code-types.js";
import type { ConfigPlace } from "./config/read-config.js";
import type { Embedder } from "./embedding/embedding.js";
import { openSharing } from "./sharing.js";
import { AccessCounter } from "./memory/access.js";
import { identifyFolder, type FolderIdentity } from "./memory/folder-identity.js";
import { list } from "./memory/list.js";
import { lookUp } from "./memory/look-up.js";
import { countMemories } from "./memory/memory-queries.js";
import type { Memory, MemoryChanges, MemoryInput, RememberedMemory } from "./memory/memory.js";
import type { BindOptions } from "./memory/names.js";
import type { ProjectStore } from "./memory/project-store.js";
import {
  ensureProject,
  findProject,
  hasNewKeys,
  joinProject,
  keysOf,
  listProjectKeys,
  listProjects,
  userProject,
  type ProjectHint,
} from "./memory/projects.js";
import { listDue } from "./memory/pruning-due.js";
import { isIndexOutdated, rebuildIndexes } from "./memory/derived-indexes.js";
import { explainQuery } from "./retrieval/explain-query.js";
import { RecallCounter } from "./retrieval/recall-counter.js";
import { recall } from "./retrieval/recall.js";
import type { RecallOptions, RecallReport } from "./retrieval/retrieval.js";
import { openModels, type Models, type OwnModels } from "./models.js";
import { openObserving, type OpenObserving } from "./observing.js";
import { describeLocation } from "./storage/connect.js";
import { eraseTraces } from "./storage/erasure.js";
import { Store } from "./storage/storage.js";
import type { ProjectIdentity, TacitMemory } from "./tacit-memory.js";

export interface OpenOptions extends OwnModels {
  /** The database file, `:memory:`, or the URL of a libSQL server. Default `$TACIT_HOME/memory.db`. */
  db?: string;
  /** The project's id, any string. Default: found from `directory`. */
  project?: string;
  /** The folder whose project this is. Default: the working directory. */
  directory?: string;
  /** How long a write may wait for another process, in milliseconds. Default 10,000. */
  timeoutMs?: number;
  /** The clock, for tests and replays. */
  now?: () => Date | number;
}

const defaultTimeoutMs = 10_000;
// A list of everything that matched is not a use of everything; the first ones are what a reader sees.
const countedResults = 10;
// Closing must not hang for what somebody else can finish.
const closingPatienceMs = 50;
// Often enough for something that is due once a day, in a process that was asleep at the time.
const upkeepMs = 3_600_000;

/** Opens the memory of a project. Creates no file: the first write does. Close it when done. */
export async function openMemory(options: OpenOptions = {}): Promise<TacitMemory> {
  checkOptions(options);
  const { timeoutMs = defaultTimeoutMs } = options;
  const directory = resolve(options.directory ?? process.cwd());
  const now = () => new Date(options.now?.() ?? Date.now());
  const folder = await identifyFolder(directory);
  const store = new Store({ db: options.db ?? join(homeFolder(), "memory.db"), timeoutMs });
  const place: ConfigPlace = { home: homeFolder(), root: folder.root };
  const project: ProjectHint = options.project === undefined ? { folder } : { id: options.project };
  const settings = recently(async () =>
    (await import("./effective-settings.js")).effectiveSettings(store, project, folder, place),
  );
  // What holds everywhere is not for the folder one happens to stand in to limit.
  const settingsOfUser = recently(
    async () => (await (await import("./config/read-config.js")).readConfig({ home: place.home })).settings,
  );
  const from: ProjectStore = {
    store,
    project,
    folder: recently(() => identifyFolder(directory), Promise.resolve(folder)),
    settings: async (whose) => (whose === "user" || options.project === userProject ? settingsOfUser() : settings()),
    now,
  };
  try {
    if (await store.read(isIndexOutdated)) await store.write(rebuildIndexes);
  } catch (error) {
    // `doctor` must be able to look at a store that cannot be read; everything else says so at its first use.
    if (!(error instanceof MemoryError)) throw error;
  }
  // Which files a project that was only named speaks of, this folder does not tell.
  const isHere = options.project === undefined || options.directory !== undefined;
  const models = openModels(from, options, isHere ? folder : undefined);
  const code = openCode(from, isHere ? folder : undefined, models.embedding);
  models.ports.codeGraph ??= code.graph;
  const observing = openObserving(
    from,
    models,
    {
      home: place.home,
      root: folder.root,
      db: options.db ?? join(place.home, "memory.db"),
      ...(options.project !== undefined && { project: options.project }),
    },
    async (memories) => {
      (await models.embedding()).schedule();
      await code.link({ ids: memories.filter(({ relatedFiles }) => relatedFiles.length > 0).map(({ id }) => id) });
    },
  );
  return bind(from, folder, place, models, code, observing);
}

/** Asked again at most once a second: a long-lived process sees its folder move on, and 0.4 ms a time adds up. */
function recently<T>(ask: () => Promise<T>, first?: Promise<T>): () => Promise<T> {
  let known: { answer: Promise<T>; at: number } | undefined = first && { answer: first, at: performance.now() };
  return () => {
    if (!known || performance.now() - known.at > 1000) known = { answer: ask(), at: performance.now() };
    return known.answer;
  };
}

const changing = () => import("./changes.js");

/** Binds the rooms' functions into the public object. Nothing is decided here. */
function bind(
  from: ProjectStore,
  folder: FolderIdentity,
  place: ConfigPlace,
  models: Models,
  code: Code,
  { catchUp, listDoubts, purging, problems, close: closeObserving, ...observing }: OpenObserving,
): TacitMemory {
  const { store } = from;
  const { embedding } = models;
  const recalls = new RecallCounter(store, from.project, from.now);
  const accesses = new AccessCounter(store, from.now);
  const sharing = openSharing(from);
  let isPruned = false;
  const remarks = async () => {
    // What is wrong with the file itself is told where it matters.
    // What has no remote was made here, and nothing of it waits.
    const waiting =
      folder.remoteKey === undefined
        ? []
        : await (
            await import("./effective-settings.js")
          )
            .listWaitingLimits(store, from.project, folder, place)
            .catch(() => []);
    const limits = waiting.map((name) => `${name} in this project's file waits for: tacit project accept`);
    return [...limits, ...(await sharing.notices()), ...problems()];
  };
  /** What was changed gets its vectors soon, in the background. */
  const changed = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work;
    (await embedding()).schedule();
    return result;
  };
  /** The same, and it may name symbols of the code. */
  const kept = async <T extends Memory[]>(work: Promise<T>): Promise<T> => {
    const result = await changed(work);
    await code.link({ ids: result.filter(({ relatedFiles }) => relatedFiles.length > 0).map(({ id }) => id) });
    return result;
  };
  /** The same for one that named other symbols before. */
  const rewritten = async <T extends Memory>(work: Promise<T>): Promise<T> => {
    const result = await changed(work);
    await code.link({ ids: [result.id] });
    return result;
  };
  /** The same for however many came from outside. */
  const takenIn = async <T>(work: () => Promise<T>): Promise<T> => {
    const since = from.now().toISOString();
    const result = await changed(work());
    await code.link({ since });
    return result;
  };
  /** What others left in the work tree, and what sessions left behind. */
  const takeUp = async (): Promise<void> => {
    await sharing.read();
    await catchUp();
  };
  /** The same texts, with why they are not to be trusted where the session that tells them has read from outside. */
  const rememberAll = async (inputs: MemoryInput[], options?: BindOptions): Promise<RememberedMemory[]> => {
    const { remember } = await changing();
    const doubts = Array.isArray(inputs) ? await listDoubts(inputs.map((input) => input ?? { content: "" })) : [];
    return kept(remember(from, inputs, { ...options, doubts }));
  };
  /** The same of one change, where it says in which session it is made. */
  const doubtOf = async (told: MemoryInput | MemoryChanges | undefined): Promise<string | undefined> => {
    const { sessionId, content = "" } = told ?? {};
    return typeof sessionId === "string" ? (await listDoubts([{ sessionId, content }]))[0] : undefined;
  };
  const report = async (question: string, options?: RecallOptions): Promise<RecallReport> => {
    await takeUp();
    const answer = await recall(from, models.ports, question, options);
    accesses.count(answer.results.slice(0, countedResults).map(({ memory }) => memory.id));
    recalls.count(answer);
    return answer;
  };
  const upkeep = setInterval(() => void keepUp(from), upkeepMs).unref();
  return {
    db: store.location.kind === "memory" ? ":memory:" : describeLocation(store.location),
    project: () => describeProject(from, folder),
    projects: async () => store.read(listProjects),
    joinProject: async (id) => {
      await store.write(async (writer) => joinProject(writer, id, folder));
      return describeProject(from, folder);
    },
    ...observing,
    remember: async (input, options) => (await rememberAll([input], options))[0] as RememberedMemory,
    rememberMany: rememberAll,
    get: async (reference, options) => {
      await takeUp();
      const found = await lookUp(from, reference, options);
      if (found) accesses.count([found.id]);
      return found;
    },
    list: async (query = {}) => {
      await takeUp();
      return list(from, query);
    },
    recall: async (question, options) => (await report(question, options)).results,
    recallReport: report,
    index: code.index,
    watch: code.watch,
    impact: code.impact,
    dependencies: code.dependencies,
    neighbours: code.neighbours,
    exportGraph: code.exportGraph,
    recallCode: code.recall,
    embedCode: code.embed,
    codeNotes: code.notes,
    codeState: code.state,
    explain: explainQuery,
    pack: async (...args) => (await import("./retrieval/pack.js")).pack(...args),
    embedPending: async (options) => (await embedding()).embedPending(options),
    stats: async () => (await import("./stats.js")).readStats(from, await embedding()),
    acceptMemory: async (...args) => rewritten(observing.acceptMemory(...args)),
    revise: async (reference, changes, options) => {
      const { revise } = await changing();
      return rewritten(revise(from, reference, changes, { ...options, doubt: await doubtOf(changes) }));
    },
    supersede: async (reference, input, options) => {
      const { supersede } = await changing();
      return rewritten(supersede(from, reference, input, { ...options, doubt: await doubtOf(input) }));
    },
    rename: async (...args) => (await changing()).rename(from, ...args),
    alias: async (...args) => (await changing()).alias(from, ...args),
    unalias: async (name) => (await changing()).unalias(from, name),
    relate: async (...args) => (await changing()).relateMemory(from, ...args),
    unrelate: async (...args) => (await changing()).unrelateMemory(from, ...args),
    history: async (reference) => (await changing()).history(from, reference),
    undo: async (...args) => changed((await changing()).undo(from, ...args)),
    forget: async (reference) => (await (await changing()).forget(from, [reference]))[0] as Memory,
    forgetMany: async (references) => (await changing()).forget(from, references),
    restore: async (reference) => changed((await changing()).restore(from, reference)),
    purge: async (what) => purging(what, async () => (await changing()).purge(from, what)),
    pin: async (reference, pinned = true) => (await changing()).pin(from, reference, pinned),
    verify: async (reference) => (await changing()).verify(from, reference),
    flag: async (...args) => (await changing()).flag(from, ...args),
    prune: async (options) => {
      isPruned = true;
      return (await changing()).prune(from, options);
    },
    config: async () => (await import("./config/read-config.js")).readConfig(place),
    configure: async (where, name, value) =>
      (await import("./config/write-config.js")).writeSetting(place, where, name, value),
    import: async (source, options) =>
      takenIn(async () => (await import("./exchange/import-memories.js")).importMemories(from, source, options)),
    export: async (options) => (await import("./exchange/export-memories.js")).exportMemories(from, options),
    archive: async (output) => (await import("./exchange/archive.js")).archiveProject(from, output),
    share: async (options) => takenIn(() => sharing.share(options)),
    accept: async (accepted) => sharing.accept(accepted),
    notices: async () => {
      const { notice } = await describeProject(from, folder);
      return [...(notice === undefined ? [] : [notice]), ...(await remarks())];
    },
    backup: async (file) => {
      const { backUp } = await import("./storage/backup.js");
      const bytes = await backUp(store, file);
      return { file: resolve(file), memories: await store.read(async (reader) => countMemories(reader)), bytes };
    },
    diagnose: async () => (await import("./diagnose.js")).diagnose(from, place, remarks, await embedding(), code),
    repair: async () => {
      const { repairVectors } = await import("./embedding/vectors-in-step.js");
      if (store.exists) {
        await store.write(async (writer) => {
          await rebuildIndexes(writer);
          await repairVectors(writer);
        });
      }
      return (await import("./diagnose.js")).diagnose(from, place, remarks, await embedding(), code);
    },
    close: async () => {
      clearInterval(upkeep);
      await closeObserving();
      await models.close();
      await accesses.flush();
      await recalls.flush();
      // Whoever asked what pruning would do does not want it done behind their back.
      if (store.isOpen && !isPruned) await keepUp(from);
      if (store.isOpen) await finishQuietly(from);
      await store.close();
    },
  };
}

/** The daily pruning: when a process ends, and in one that stays open for long. */
async function keepUp(from: ProjectStore): Promise<void> {
  try {
    if (!from.store.exists || (await from.store.read((reader) => listDue(reader, from))).length === 0) return;
    await (await import("./memory/prune.js")).pruneDaily(from, closingPatienceMs);
  } catch (error) {
    // Nobody is waiting who could be told; `doctor` looks at the store.
    if (!(error instanceof MemoryError)) throw error;
  }
}

/**
 * What may be done when nobody waits any more, and left to the next process where it does not succeed at once: wiping
 * what was purged, and learning that the folder has gained a remote, before a clone of it claims the remote alone.
 */
async function finishQuietly(from: ProjectStore): Promise<void> {
  const { store, project, now } = from;
  try {
    await eraseTraces(store, closingPatienceMs);
    if (await store.read(async (reader) => hasNewKeys(reader, project))) {
      await store.write(async (writer) => ensureProject(writer, project, now()), { timeoutMs: closingPatienceMs });
    }
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
  }
}

async function describeProject(from: ProjectStore, folder: FolderIdentity): Promise<ProjectIdentity> {
  return from.store.read(async (reader) => {
    const { project, notice } = await findProject(reader, from.project);
    const given = "id" in from.project ? from.project.id : undefined;
    const id = project?.id ?? given;
    return {
      ...(id !== undefined && { id }),
      name: project?.name ?? given ?? folder.name,
      keys: project ? await listProjectKeys(reader, project) : given === undefined ? keysOf(folder) : [],
      ...(notice !== undefined && { notice }),
    };
  });
}

/** A lone surrogate would be stored as U+FFFD, and two projects would become one. */
function isStorable(project: unknown): boolean {
  return typeof project === "string" && project.trim() !== "" && !/\0|\p{Surrogate}/u.test(project);
}

const knownOptions = [
  "db",
  "project",
  "directory",
  "timeoutMs",
  "now",
  "embedder",
  "languageModel",
  "reranker",
  "codeGraph",
];

function checkOptions(options: OpenOptions): void {
  const { project, timeoutMs = defaultTimeoutMs, embedder } = options ?? {};
  const unknown = Object.keys(options ?? { null: 1 }).find((name) => !knownOptions.includes(name));
  if (unknown !== undefined) {
    // A misspelt `db` would otherwise open the user's own store.
    const hint = `Known options: ${knownOptions.join(", ")}.`;
    throw new MemoryError("invalid-input", `openMemory() does not know the option ${JSON.stringify(unknown)}.`, hint);
  }
  if (project !== undefined && !isStorable(project)) {
    throw new MemoryError(
      "invalid-input",
      "The project's id is empty or no text.",
      "Use any text, for example my-app.",
    );
  }
  if (!(Number.isFinite(timeoutMs) && timeoutMs >= 0)) {
    throw new MemoryError("invalid-input", "timeoutMs must be a number from 0.", "Leave it out for 10 seconds.");
  }
  if (embedder) checkEmbedder(embedder);
}

function checkEmbedder(embedder: Embedder): void {
  const { modelId, dimensions } = embedder;
  const isEmbedder = typeof modelId === "string" && modelId !== "" && Number.isInteger(dimensions) && dimensions >= 1;
  if (isEmbedder && typeof embedder.embed === "function") return;
  throw new MemoryError(
    "invalid-input",
    "The embedder lacks a modelId, or dimensions as a whole number from 1, or a function embed.",
    'Give for example { modelId: "mine:small:384", dimensions: 384, embed: async (texts) => … }, or null for none.',
  );
}
