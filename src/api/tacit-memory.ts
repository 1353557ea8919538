import type { Building } from "../injection/build/build.js";
import type { Code, RepositoryMap, RepositoryMapOptions } from "../code-memory/code-memory.js";
import type { CodeOverview } from "../codegraph/ask/ask.js";
import type { Concepts } from "../code-memory/concepts/concept.js";
import type { Config } from "../config/read-config.js";
import type { Conversing } from "../conversation/conversation-verbs.js";
import type { Diagnosis } from "../doctor/doctor.js";
import type {
  ChromaExportOptions,
  ChromaExportReport,
  ChromaImportOptions,
  ChromaImportReport,
} from "../exchange/chroma/chroma-options.js";
import type {
  ExportOptions,
  ExportReport,
  ImportOptions,
  ImportReport,
  ShareOptions,
  ShareReport,
} from "../exchange/exchange.js";
import type { LearnedProject, LearnProjectOptions } from "../exchange/project-files/project-facts.js";
import type { ForgetOptions, PruneReport, PurgeTarget } from "../memory/retention/retention.js";
import type { HistoryEntry } from "../memory/history/history.js";
import type { ListQuery } from "../memory/read/read.js";
import type {
  Memory,
  MemoryChanges,
  MemoryInput,
  NamedMemory,
  PurgeReport,
  RememberedMemory,
} from "../memory/memory.js";
import type { BindOptions } from "../memory/write/write.js";
import type { PendingReview, RenameOptions, ReviseOptions, StatedRelation } from "../memory/edit/edit.js";
import type { ProjectSummary } from "../project/project.js";
import type { UndoOptions } from "../memory/edit/edit.js";
import type { Injecting, Observing } from "../session/session.js";
import type { EmbedOptions, EmbedReport } from "../embedding/embed/embed.js";
import type { Describing } from "../code-memory/modules/module.js";
import type { Packed, PackOptions } from "../retrieval/packing/pack.js";
import type { QueryExplanation, RecallOptions, RecallReport, RecallResult } from "../retrieval/retrieval.js";
import type { Stats } from "./read-stats.js";
import type { StaleReport, VerifyStaleOptions } from "../code-memory/drift/verify-stale.js";

/** The memory of one project. Every verb that takes a reference takes an id, a short id, a name or an alias. */
export interface TacitMemory extends Observing, Injecting, Building, Conversing, Concepts, Describing {
  /** Where the memories are kept: the file, or the host of the server. */
  readonly db: string;
  /** The folder that it was opened with, as a whole path. */
  readonly directory: string;
  project(): Promise<ProjectIdentity>;
  /** Every project of the store. */
  projects(): Promise<ProjectSummary[]>;
  /** Makes this folder part of an existing project, where Tacit could not tell by itself. */
  joinProject(id: string): Promise<ProjectIdentity>;
  remember(input: MemoryInput, options?: TellingOptions): Promise<RememberedMemory>;
  /** All of them or none, answered in input order. */
  rememberMany(inputs: MemoryInput[], options?: TellingOptions): Promise<RememberedMemory[]>;
  /** Of this project, or of the project `user`. Undefined for what is not there; a forgotten memory only when asked for. */
  get(reference: string, options?: { forgotten?: boolean }): Promise<Memory | undefined>;
  list(options?: ListQuery): Promise<Memory[]>;
  /** What a person has to accept, and what agents stated unwatched and nobody has verified. */
  pendingReview(): Promise<PendingReview>;
  recall(question: string, options?: RecallOptions): Promise<RecallResult[]>;
  /** The same, with how it was searched, what was held back, and what the reader should know. */
  recallReport(question: string, options?: RecallOptions): Promise<RecallReport>;
  /** Puts results into a text of at most so many tokens, for a phase, each with its citation. */
  pack(results: readonly RecallResult[], options?: PackOptions): Promise<Packed>;
  /** Gives every memory its vector now. It happens by itself in the background of a process that stays open. */
  embedPending(options?: EmbedOptions): Promise<EmbedReport>;
  /** How the store is used: vectors, questions, and what language models were asked. */
  stats(): Promise<Stats>;
  /** Takes in the code of the work tree, or what has changed of it. */
  index: Code["index"];
  /** Keeps the index in step with the files until it is closed. */
  watch: Code["watch"];
  /** What depends on a file, a folder or a symbol: by depth, with the way there, the tests, and the memories that hang on it. */
  impact: Code["impact"];
  /** What a file, a folder or a symbol needs. */
  dependencies: Code["dependencies"];
  /** For each of these files those that it is tied to, nearest first. */
  neighbours: Code["neighbours"];
  /** The graph as text: JSON, dot or Mermaid, in pieces. */
  exportGraph: Code["exportGraph"];
  /**
   * The most central definitions of the code on a page of so many tokens, for a prompt, for files in play, or for where work
   * goes on: each the line that defines it, as its file stands now. Quoted data. Refuses before the first indexing.
   */
  repositoryMap(options?: RepositoryMapOptions): Promise<RepositoryMap>;
  /** The parts of the code that answer a question, best first. */
  recallCode: Code["recall"];
  /** Gives every chunk of the code a vector, so that it is found by its meaning too. */
  embedCode: Code["embed"];
  /** What a reader of the graph should know: that it is not complete, that files have changed since. */
  codeNotes: Code["notes"];
  /** How the index stands; undefined before the first indexing. */
  codeState: Code["state"];
  /** Languages, counts, the files that most others import, and those that change together. Refuses before the first indexing. */
  codeOverview(): Promise<CodeOverview>;
  /** Which words of a question recall looks for, and why it may find nothing. */
  explain(query: string): QueryExplanation;
  /**
   * The text of an archive is rewritten only with `force`. With the `sessionId` of a session that has read from outside it
   * is refused (`session-tainted`), and with `ifUnchanged` where somebody else was quicker (`memory-changed`).
   */
  revise(reference: string, changes: MemoryChanges, options?: ReviseOptions): Promise<NamedMemory>;
  /**
   * Closes the old memory's validity and puts a new one in its place, which inherits its name. Where its session has read
   * from outside, the new one waits, and the old one stays until a person accepts it.
   */
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
  history(reference: string): Promise<HistoryEntry[]>;
  /** Takes back one change, the last unless another is named, and leaves the others. */
  undo(reference: string, options?: UndoOptions): Promise<Memory>;
  /** Undoable for 30 days. */
  forget(reference: string): Promise<Memory>;
  forgetMany(references: string[], options?: ForgetOptions): Promise<Memory[]>;
  restore(reference: string): Promise<Memory>;
  /** Leaves not one byte. Cannot be undone. */
  purge(what: PurgeTarget): Promise<PurgeReport>;
  pin(reference: string, pinned?: boolean): Promise<Memory>;
  /** A person says that this is right. What the code said against it counts no more. */
  verify(reference: string): Promise<Memory>;
  /**
   * Compares every memory with the code as it is now, and tells which speak of something that moved, or of which they may no
   * longer be right. By itself after every indexing; `recheck: false` only tells what is known.
   */
  verifyStale(options?: VerifyStaleOptions): Promise<StaleReport>;
  flag(reference: string, reason: string): Promise<Memory>;
  /** Lets go of what has faded, and removes for good what was let go long ago. By itself once a day. */
  prune(options?: { dryRun?: boolean }): Promise<PruneReport>;
  /** What is set, and where. */
  config(): Promise<Config>;
  /** Sets a value in the user's or the project's file, or takes it away; tells which file. */
  configure(where: "user" | "project", name: string, value: string | undefined): Promise<string>;
  /** Takes memories in from a file, a folder or a stream, whatever of its formats it is: all of them or none. */
  import(source: string | AsyncIterable<Uint8Array>, options?: ImportOptions): Promise<ImportReport>;
  /**
   * Learns what the project's own files say of it (how to test and build it, what it needs), and, when invited, the rules
   * that it holds for agents. Again, it changes only what they say otherwise now.
   */
  learnProject(options?: LearnProjectOptions): Promise<LearnedProject>;
  /** Writes memories out as JSON Lines, as Markdown files, or as a section for CLAUDE.md. */
  export(options: ExportOptions): Promise<ExportReport>;
  /** Takes in a collection of a Chroma server, such as `http://127.0.0.1:8000?collection=memories`: all of it or nothing. */
  importChroma(address: string, options?: ChromaImportOptions): Promise<ChromaImportReport>;
  /** Puts the memories in force into such a collection, with vectors of all-MiniLM-L6-v2. Again: it changes nothing. */
  exportChroma(address: string, options?: ChromaExportOptions): Promise<ChromaExportReport>;
  /** Every memory of this project in a new folder: its own database with their vectors, JSON Lines and Markdown. */
  archive(folder: string): Promise<ExportReport>;
  /** Brings the shared files of the work tree and the memories of the project into step, both ways. */
  share(options?: ShareOptions): Promise<ShareReport>;
  /** Lets what lies in the work tree of this project speak, or no longer; needed once for a project of others. */
  accept(accepted?: boolean): Promise<void>;
  /** What the user should know or decide: a project in doubt, shared files that wait or do not fit. */
  notices(): Promise<string[]>;
  /** A consistent copy while others write. Never overwrites. */
  backup(file: string): Promise<BackupReport>;
  diagnose(): Promise<Diagnosis>;
  /** Rebuilds every derived index from the rows, and finishes pending erasures. */
  repair(): Promise<Diagnosis>;
  close(): Promise<void>;
}

export interface TellingOptions extends BindOptions {
  /**
   * An agent says it, not a person. Where a session that hooks watch in this work tree has read from outside, it waits for
   * a person; where the agent's own session is not watched, it is kept `unverified`, with a pending review: it comes back
   * when asked for, and is told to nobody who did not ask, until a person verifies it or somebody who is trusted says the
   * same. Its source is `agent_explicit` whatever the input says, and `rebind` is refused.
   */
  asAgent?: boolean;
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
