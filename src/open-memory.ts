import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { MemoryError } from "./base/memory-error.js";
import { diagnose, type Diagnosis } from "./diagnose.js";
import { readConfig, type Config, type ConfigPlace } from "./config/read-config.js";
import { writeSetting } from "./config/write-config.js";
import { AccessCounter } from "./memory/access.js";
import { identifyFolder, type FolderIdentity } from "./memory/folder-identity.js";
import { forget } from "./memory/forget.js";
import { findMemory, findMemoryOrForgotten } from "./memory/get-memory.js";
import { history, type Change } from "./memory/history.js";
import { list } from "./memory/list.js";
import { countMemories, type ListQuery } from "./memory/memory-queries.js";
import type { Memory, MemoryChanges, MemoryInput, PurgeReport, RememberedMemory } from "./memory/memory.js";
import type { BindOptions } from "./memory/names.js";
import { readProject, type ProjectStore } from "./memory/project-store.js";
import {
  ensureProject,
  findProject,
  hasNewKeys,
  joinProject,
  keysOf,
  listProjectKeys,
  listProjects,
  userProject,
  type ProjectSummary,
} from "./memory/projects.js";
import { prune, pruneDaily, type PruneReport } from "./memory/prune.js";
import { purge, type PurgeTarget } from "./memory/purge.js";
import { relateMemory, unrelateMemory, type StatedRelation } from "./memory/relate.js";
import { remember } from "./memory/remember.js";
import { alias, rename, unalias, type NamedMemory, type RenameOptions } from "./memory/rename.js";
import { restore } from "./memory/restore.js";
import { flag, pin, verify } from "./memory/review.js";
import { revise, type ReviseOptions } from "./memory/revise.js";
import { supersede } from "./memory/supersede.js";
import { undo, type UndoOptions } from "./memory/undo.js";
import { isIndexOutdated, rebuildIndexes } from "./memory/derived-indexes.js";
import { explainQuery, recall } from "./retrieval/recall.js";
import type { QueryExplanation, RecallOptions, RecallResult } from "./retrieval/retrieval.js";
import { backUp } from "./storage/backup.js";
import { describeLocation } from "./storage/connect.js";
import { eraseTraces } from "./storage/erasure.js";
import { Store } from "./storage/storage.js";

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

/** The memory of one project. Every verb that takes a reference takes an id, a short id, a name or an alias. */
export interface TacitMemory {
  /** Where the memories are kept: the file, or the host of the server. */
  readonly db: string;
  project(): Promise<ProjectIdentity>;
  /** Every project of the store. */
  projects(): Promise<ProjectSummary[]>;
  /** Makes this folder part of an existing project, where Tacit could not tell by itself. */
  joinProject(id: string): Promise<ProjectIdentity>;
  remember(input: MemoryInput, options?: BindOptions): Promise<RememberedMemory>;
  /** All of them or none, answered in input order. */
  rememberMany(inputs: MemoryInput[], options?: BindOptions): Promise<RememberedMemory[]>;
  /** Undefined for what is not there; a forgotten memory only when asked for. */
  get(reference: string, options?: { forgotten?: boolean }): Promise<Memory | undefined>;
  list(options?: ListQuery): Promise<Memory[]>;
  recall(query: string, options?: RecallOptions): Promise<RecallResult[]>;
  /** Which words of a question recall looks for, and why it may find nothing. */
  explain(query: string): QueryExplanation;
  /** The text of an archive is rewritten only with `force`. */
  revise(reference: string, changes: MemoryChanges, options?: ReviseOptions): Promise<Memory>;
  /** Closes the old memory's validity and puts a new one in its place, which inherits its name. */
  supersede(reference: string, input: MemoryInput, options?: BindOptions): Promise<RememberedMemory>;
  /** Gives a memory another name; the old one is free, unless it is kept as an alias. */
  rename(reference: string, name: string, options?: RenameOptions): Promise<NamedMemory>;
  /** Gives a memory further names. A name that another memory holds is refused, unless it is to be rebound. */
  alias(reference: string, names: string[], options?: BindOptions): Promise<NamedMemory>;
  unalias(name: string): Promise<Memory>;
  /** Relates a memory to another, by any reference, or to a file. */
  relate(reference: string, relation: StatedRelation): Promise<Memory>;
  unrelate(reference: string, relation: StatedRelation): Promise<Memory>;
  /** Every change of a memory, newest first; the last one is its remembering. */
  history(reference: string): Promise<Change[]>;
  /** Takes back one change, the last unless another is named, and leaves the others. */
  undo(reference: string, options?: UndoOptions): Promise<Memory>;
  /** Undoable for 30 days. */
  forget(reference: string): Promise<Memory>;
  forgetMany(references: string[]): Promise<Memory[]>;
  restore(reference: string): Promise<Memory>;
  /** Leaves not one byte. Cannot be undone. */
  purge(what: PurgeTarget): Promise<PurgeReport>;
  pin(reference: string, pinned?: boolean): Promise<Memory>;
  verify(reference: string): Promise<Memory>;
  flag(reference: string, reason: string): Promise<Memory>;
  /** Lets go of what has faded, and removes for good what was let go long ago. By itself once a day. */
  prune(options?: { dryRun?: boolean }): Promise<PruneReport>;
  /** What is set, and where. */
  config(): Promise<Config>;
  /** Sets a value in the user's or the project's file, or takes it away; tells which file. */
  configure(where: "user" | "project", name: string, value: string | undefined): Promise<string>;
  /** A consistent copy while others write. Never overwrites. */
  backup(file: string): Promise<BackupReport>;
  diagnose(): Promise<Diagnosis>;
  /** Rebuilds every derived index from the rows, and finishes pending erasures. */
  repair(): Promise<Diagnosis>;
  close(): Promise<void>;
}

export interface ProjectIdentity {
  /** Undefined until the first write creates it, unless it was given. */
  id?: string;
  /** For people: the last part of the remote, the folder's name, or the given id. */
  name: string;
  /** What Tacit recognises it by: `remote:…`, `git:…`, `path:…`. */
  keys: string[];
  /** Set when Tacit is in doubt, with what to do. */
  notice?: string;
}

export interface BackupReport {
  file: string;
  memories: number;
  bytes: number;
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
  // What holds everywhere is not for the folder one happens to stand in to limit.
  const effective: ConfigPlace = options.project === userProject ? { home: place.home } : place;
  const from: ProjectStore = {
    store,
    project: options.project === undefined ? { folder } : { id: options.project },
    folder: recently(() => identifyFolder(directory), Promise.resolve(folder)),
    settings: recently(async () => (await readConfig(effective)).settings),
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
    get: async (reference, { forgotten = false } = {}) => {
      const find = forgotten ? findMemoryOrForgotten : findMemory;
      const found = await readProject(from, undefined, async (reader, project) =>
        find(reader, project, reference, from.now()),
      );
      if (!found || (found.memory.status === "forgotten" && !forgotten)) return undefined;
      accesses.count([found.memory.id]);
      return found.memory;
    },
    list: async (query = {}) => list(from, query),
    recall: async (query, options) => {
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
    prune: async (options) => prune(from, options),
    config: async () => readConfig(place),
    configure: async (where, name, value) => writeSetting(place, where, name, value),
    backup: async (file) => {
      const bytes = await backUp(store, file);
      return { file: resolve(file), memories: await store.read(async (reader) => countMemories(reader)), bytes };
    },
    diagnose: async () => diagnose(from),
    repair: async () => {
      if (store.exists) await store.write(rebuildIndexes);
      return diagnose(from);
    },
    close: async () => {
      clearInterval(upkeep);
      await accesses.flush();
      if (store.isOpen) await finishQuietly(from);
      await store.close();
    },
  };
}

/** The daily pruning of a process that stays open for long. */
async function keepUp(from: ProjectStore): Promise<void> {
  try {
    await pruneDaily(from, closingPatienceMs);
  } catch (error) {
    // Nobody is waiting who could be told; `doctor` looks at the store.
    if (!(error instanceof MemoryError)) throw error;
  }
}

/**
 * What may be done when nobody waits any more, and left to the next process where it does not succeed at once: the daily
 * pruning, wiping what was purged, and learning that the folder has gained a remote, before a clone of it claims the
 * remote alone.
 */
async function finishQuietly(from: ProjectStore): Promise<void> {
  const { store, project, now } = from;
  await keepUp(from);
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
