import type { Clock } from "./base/base.js";
import type {
  Memory,
  MemoryChanges,
  MemoryFilter,
  MemoryInput,
  PurgeReport,
  RememberedMemory,
} from "./memory/memory.js";
import type { QueryExplanation, RecallOptions, RecallResult } from "./retrieval/retrieval.js";

export interface OpenOptions {
  /** The database file, `:memory:`, or the URL of a libSQL server. Default `$TACIT_HOME/memory.db`. */
  db?: string;
  /** The project's id, any string. Default: found from `directory`. */
  project?: string;
  /** The folder whose project this is. Default: the working directory. */
  directory?: string;
  /** How long a write may wait for another process, in milliseconds. Default 10,000. */
  timeoutMs?: number;
  now?: Clock;
}

export interface ListOptions extends MemoryFilter {
  /** `recent` (default): newest first; `uses`: most used first. */
  sort?: "recent" | "uses";
  limit?: number;
}

/** The memory of one project. Every verb that takes a reference takes an id, a short id, a name or an alias. */
export interface TacitMemory {
  /** Where the memories are kept. */
  readonly db: string;
  project(): Promise<ProjectIdentity>;
  /** Makes this folder part of an existing project, where Tacit could not tell by itself. */
  joinProject(id: string): Promise<ProjectIdentity>;
  remember(input: MemoryInput): Promise<RememberedMemory>;
  /** All of them or none, answered in input order. */
  rememberMany(inputs: MemoryInput[]): Promise<RememberedMemory[]>;
  /** Undefined for what is not there; a forgotten memory only when asked for. */
  get(reference: string, options?: { forgotten?: boolean }): Promise<Memory | undefined>;
  list(options?: ListOptions): Promise<Memory[]>;
  recall(query: string, options?: RecallOptions): Promise<RecallResult[]>;
  /** Which words of a question recall looks for, and why it may find nothing. */
  explain(query: string): QueryExplanation;
  revise(reference: string, changes: MemoryChanges): Promise<Memory>;
  /** Closes the old memory's validity and puts a new one in its place, which inherits its name. */
  supersede(reference: string, input: MemoryInput): Promise<RememberedMemory>;
  /** Undoable for 30 days. */
  forget(reference: string): Promise<Memory>;
  forgetMany(references: string[]): Promise<Memory[]>;
  restore(reference: string): Promise<Memory>;
  /** Leaves not one byte. Cannot be undone. */
  purge(what: string | { project: true } | { all: true }): Promise<PurgeReport>;
  pin(reference: string, pinned?: boolean): Promise<Memory>;
  verify(reference: string): Promise<Memory>;
  flag(reference: string, reason: string): Promise<Memory>;
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

export interface Diagnosis {
  /** False when something is broken; a warning is not. */
  ok: boolean;
  checks: { name: string; status: "ok" | "warning" | "broken"; message: string; hint?: string }[];
}

/** Opens the memory of a project. Creates no file: the first write does. Close it when done. */
export declare function openMemory(options?: OpenOptions): Promise<TacitMemory>;
