import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { MemoryError } from "./base/memory-error.js";
import { diagnose } from "./diagnose.js";
import { effectiveSettings, listWaitingLimits } from "./effective-settings.js";
import { readConfig, type ConfigPlace } from "./config/read-config.js";
import { openSharing } from "./sharing.js";
import { AccessCounter } from "./memory/access.js";
import { identifyFolder, type FolderIdentity } from "./memory/folder-identity.js";
import { forget } from "./memory/forget.js";
import { history } from "./memory/history.js";
import { list } from "./memory/list.js";
import { lookUp } from "./memory/look-up.js";
import { countMemories } from "./memory/memory-queries.js";
import type { Memory, RememberedMemory } from "./memory/memory.js";
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
import { prune, pruneDaily } from "./memory/prune.js";
import { purge } from "./memory/purge.js";
import { relateMemory, unrelateMemory } from "./memory/relate.js";
import { remember } from "./memory/remember.js";
import { alias, rename, unalias } from "./memory/rename.js";
import { restore } from "./memory/restore.js";
import { flag, pin, verify } from "./memory/review.js";
import { revise } from "./memory/revise.js";
import { supersede } from "./memory/supersede.js";
import { undo } from "./memory/undo.js";
import { isIndexOutdated, rebuildIndexes } from "./memory/derived-indexes.js";
import { explainQuery, recall } from "./retrieval/recall.js";
import { backUp } from "./storage/backup.js";
import { describeLocation } from "./storage/connect.js";
import { eraseTraces } from "./storage/erasure.js";
import { Store } from "./storage/storage.js";
import type { ProjectIdentity, TacitMemory } from "./tacit-memory.js";

export interface OpenOptions {
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
  const settings = recently(() => effectiveSettings(store, project, folder, place));
  // What holds everywhere is not for the folder one happens to stand in to limit.
  const settingsOfUser = recently(async () => (await readConfig({ home: place.home })).settings);
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
  return bind(from, folder, place);
}

/** Asked again at most once a second: a long-lived process sees its folder move on, and 0.4 ms a time adds up. */
function recently<T>(ask: () => Promise<T>, first?: Promise<T>): () => Promise<T> {
  let known: { answer: Promise<T>; at: number } | undefined = first && { answer: first, at: performance.now() };
  return () => {
    if (!known || performance.now() - known.at > 1000) known = { answer: ask(), at: performance.now() };
    return known.answer;
  };
}

/** Binds the rooms' functions into the public object. Nothing is decided here. */
function bind(from: ProjectStore, folder: FolderIdentity, place: ConfigPlace): TacitMemory {
  const { store } = from;
  const accesses = new AccessCounter(store, from.now);
  const sharing = openSharing(from);
  let isPruned = false;
  const remarks = async () => {
    // What is wrong with the file itself is told where it matters.
    const waiting = await listWaitingLimits(store, from.project, folder, place).catch(() => []);
    const limits = waiting.map((name) => `${name} in this project's file waits for: tacit project accept`);
    return [...limits, ...(await sharing.notices())];
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
    remember: async (input, options) => (await remember(from, [input], options))[0] as RememberedMemory,
    rememberMany: async (inputs, options) => remember(from, inputs, options),
    get: async (reference, options) => {
      await sharing.read();
      const found = await lookUp(from, reference, options);
      if (found) accesses.count([found.id]);
      return found;
    },
    list: async (query = {}) => {
      await sharing.read();
      return list(from, query);
    },
    recall: async (query, options) => {
      await sharing.read();
      const results = await recall(from, query, options);
      accesses.count(results.slice(0, countedResults).map(({ memory }) => memory.id));
      return results;
    },
    explain: explainQuery,
    revise: async (reference, changes, options) => revise(from, reference, changes, options),
    supersede: async (reference, input, options) => supersede(from, reference, input, options),
    rename: async (reference, name, options) => rename(from, reference, name, options),
    alias: async (reference, names, options) => alias(from, reference, names, options),
    unalias: async (name) => unalias(from, name),
    relate: async (reference, relation) => relateMemory(from, reference, relation),
    unrelate: async (reference, relation) => unrelateMemory(from, reference, relation),
    history: async (reference) => history(from, reference),
    undo: async (reference, options) => undo(from, reference, options),
    forget: async (reference) => (await forget(from, [reference]))[0] as Memory,
    forgetMany: async (references) => forget(from, references),
    restore: async (reference) => restore(from, reference),
    purge: async (what) => purge(from, what),
    pin: async (reference, pinned = true) => pin(from, reference, pinned),
    verify: async (reference) => verify(from, reference),
    flag: async (reference, reason) => flag(from, reference, reason),
    prune: async (options) => {
      isPruned = true;
      return prune(from, options);
    },
    config: async () => readConfig(place),
    configure: async (where, name, value) =>
      (await import("./config/write-config.js")).writeSetting(place, where, name, value),
    import: async (source, options) =>
      (await import("./exchange/import-memories.js")).importMemories(from, source, options),
    export: async (options) => (await import("./exchange/export-memories.js")).exportMemories(from, options),
    archive: async (output) => (await import("./exchange/archive.js")).archiveProject(from, output),
    share: async (options) => sharing.share(options),
    accept: async (accepted) => sharing.accept(accepted),
    notices: async () => {
      const { notice } = await describeProject(from, folder);
      return [...(notice === undefined ? [] : [notice]), ...(await remarks())];
    },
    backup: async (file) => {
      const bytes = await backUp(store, file);
      return { file: resolve(file), memories: await store.read(async (reader) => countMemories(reader)), bytes };
    },
    diagnose: async () => diagnose(from, place, remarks),
    repair: async () => {
      if (store.exists) await store.write(rebuildIndexes);
      return diagnose(from, place, remarks);
    },
    close: async () => {
      clearInterval(upkeep);
      await accesses.flush();
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
    await pruneDaily(from, closingPatienceMs);
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

function homeFolder(): string {
  return process.env["TACIT_HOME"] || join(homedir(), ".tacit");
}

/** A lone surrogate would be stored as U+FFFD, and two projects would become one. */
function isStorable(project: unknown): boolean {
  return typeof project === "string" && project.trim() !== "" && !/\0|\p{Surrogate}/u.test(project);
}

const knownOptions = ["db", "project", "directory", "timeoutMs", "now"];

function checkOptions(options: OpenOptions): void {
  const { project, timeoutMs = defaultTimeoutMs } = options ?? {};
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
}
