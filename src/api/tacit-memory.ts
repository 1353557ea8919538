import type { Caller } from "../base/actor.js";
import type { CodeAnswer, CodeImpact, IndexCodeOptions, IndexReport } from "../code-memory/code-memory.js";
import type { RecallCodeOptions } from "../code-memory/code-memory.js";
import type { ImpactOptions } from "../codegraph/ask/ask.js";
import type { ExportGraphOptions } from "../codegraph/export/export.js";
import type { Conversation, ConversationOptions, MemoryConversations } from "../conversation/conversation-verbs.js";
import type { EmbedOptions, EmbedReport } from "../embedding/embed/embed.js";
import type { MemoryBuilds } from "../injection/build/build.js";
import type { InjectOptions, Injection, Moment } from "../injection/injection.js";
import type { RenameOptions, ReviseOptions, StatedRelation, UndoOptions } from "../memory/edit/edit.js";
import type { HistoryEntry } from "../memory/history/history.js";
import type {
  Memory,
  MemoryChanges,
  MemoryInput,
  NamedMemory,
  PurgeReport,
  RememberedMemory,
  ReviewedMemory,
} from "../memory/memory.js";
import type { ListQuery } from "../memory/read/read.js";
import type { PurgeTarget } from "../memory/retention/retention.js";
import type { BindOptions } from "../memory/write/write.js";
import type { AgentEvent } from "../observer/observer.js";
import type { LearnedReport } from "../observer/promotion/promotion.js";
import type { Packed, PackOptions } from "../retrieval/packing/pack.js";
import type { QueryExplanation, RecallOptions, RecallReport, RecallResult } from "../retrieval/retrieval.js";
import type { FinishSessionOptions } from "../session/session.js";
import type { MemoryCode } from "./memory-code.js";
import type { MemoryExchange } from "./memory-exchange.js";
import type { MemoryProjects } from "./memory-projects.js";
import type { MemoryReview } from "./memory-review.js";
import type { MemorySessions } from "./memory-sessions.js";
import type { MemoryStore } from "./memory-store.js";
import type { Stats } from "./read-stats.js";

/**
 * The memory of one project. Every function that takes a reference takes an id, a short id, a name or an alias. What is used
 * every day stands here, the rest in its parts: `review`, `code`, `sessions`, `conversations`, `builds`, `projects`,
 * `exchange` and `store`.
 */
export interface TacitMemory {
  /** Where the memories are stored: the file, or the host of the server. */
  readonly db: string;
  /** The folder that it was opened with, as a whole path. */
  readonly directory: string;
  /**
   * Who is behind the calls. Not always who was named: in a process that a watched agent has started, directly or through others,
   * every call is that agent's, in its session (on Linux).
   */
  readonly actor: Caller;
  /**
   * The same open memory for another caller: who is behind a call decides how far it is trusted. It shares the store and
   * everything else, and `close()` of either closes both.
   *
   * @example
   * const agent = memory.as({ kind: "agent", sessionId: "s1" });
   * await agent.remember({ content: "Deploys wait for the migration." });
   */
  as(actor: Caller): TacitMemory;

  /**
   * Stores a memory, or merges it into the one that says the same. What an agent says (`as`) has the source `agent_explicit`,
   * whatever the input says. If its session, or for one that is not watched any session under way, has read from untrusted
   * sources, it waits for a person. If the agent's own session is not watched, it is stored `unverified`: recall finds it, and
   * nobody gets it injected until a person verifies it. The session is that of the input, or else the agent's own.
   */
  remember(input: MemoryInput, options?: BindOptions): Promise<RememberedMemory>;
  /** All of them or none, answered in input order. */
  rememberMany(inputs: MemoryInput[], options?: BindOptions): Promise<RememberedMemory[]>;
  recall(question: string, options?: RecallOptions): Promise<RecallResult[]>;
  /** Recall with how it was searched, what was held back, and what the reader should know. */
  recallReport(question: string, options?: RecallOptions): Promise<RecallReport>;
  /** Puts results into a text of at most so many tokens, for a phase, each with its citation. */
  pack(results: readonly RecallResult[], options?: PackOptions): Promise<Packed>;
  /** Which words of a question recall looks for, and why it may find nothing. */
  explain(query: string): QueryExplanation;
  /** Of this project, or of the project `user`. Undefined for what is not there; a forgotten memory only when asked for. */
  get(reference: string, options?: { forgotten?: boolean }): Promise<Memory | undefined>;
  list(options?: ListQuery): Promise<Memory[]>;

  /**
   * Changes a memory in place. The text of an archive is rewritten only with `force`. It is refused in a session that has read
   * from untrusted sources (`session-tainted`), and with `ifUnchanged` where somebody else was quicker (`memory-changed`).
   * What an unwatched agent changes becomes `unverified`, and no longer counts as verified by a person.
   */
  revise(reference: string, changes: MemoryChanges, options?: ReviseOptions): Promise<NamedMemory>;
  /**
   * Closes the old memory's validity and puts a new one in its place, which inherits its name. If its session has read from
   * untrusted sources, the new one waits, and the old one stays until a person accepts it.
   */
  supersede(reference: string, input: MemoryInput, options?: BindOptions): Promise<RememberedMemory>;
  /** Gives a memory another name; the old one is free, unless it becomes an alias. */
  rename(reference: string, name: string, options?: RenameOptions): Promise<NamedMemory>;
  /** Gives a memory further names. A name that another memory holds is refused, unless it is to be rebound. */
  alias(reference: string, names: string[], options?: BindOptions): Promise<NamedMemory>;
  unalias(name: string): Promise<Memory>;
  /** Relates a memory to another, by any reference, or to a file. */
  relate(reference: string, relation: StatedRelation): Promise<Memory>;
  unrelate(reference: string, relation: StatedRelation): Promise<Memory>;
  /** A person says that this is right. What the code said against it no longer counts. */
  verify(reference: string): Promise<ReviewedMemory>;
  /** Says why a memory is wrong. */
  flag(reference: string, reason: string): Promise<Memory>;
  pin(reference: string, pinned?: boolean): Promise<Memory>;
  /** Every change of a memory, newest first; the last one is its remembering. */
  history(reference: string): Promise<HistoryEntry[]>;
  /** Takes back one change, the last unless another is named, and leaves the others. */
  undo(reference: string, options?: UndoOptions): Promise<Memory>;
  /**
   * Can be undone for 30 days. An agent is refused (`session-tainted`) where its session has read from untrusted sources, or,
   * if its session is not watched, any session that goes on and is watched.
   */
  forget(reference: string): Promise<Memory>;
  forgetMany(references: string[]): Promise<Memory[]>;
  restore(reference: string): Promise<Memory>;
  /** Leaves not one byte. Cannot be undone. */
  purge(what: PurgeTarget): Promise<PurgeReport>;

  /**
   * Takes one event of a session. Never throws, and writes nothing to the database; an `end` finishes the session in the
   * background. Where memory is switched off it does nothing.
   *
   * The first event loads what the others need, some 50 ms; a process that calls `process.exit()` before that loses its
   * events. Await `close()` first.
   */
  observe(event: AgentEvent): void;
  /**
   * What to inject at a moment; nothing, with an empty text, most of the time. Nothing is injected twice in a session, and
   * what is returned counts as injected, so put the text into a user message. Never throws and keeps its deadline: an agent
   * that waits for its memory, or dies of it, is worse than one that knows less.
   *
   * @example
   * const { text } = await memory.inject({ point: "file-read", sessionId: "s1", files: ["src/http.ts"] });
   * if (text !== "") messages.push({ role: "user", content: text });
   */
  inject(moment: Moment, options?: InjectOptions): Promise<Injection>;
  /** Ends a session and learns from it; undefined where nothing was seen of it. A command of an agent ends only its own. */
  finishSession(sessionId: string, options?: FinishSessionOptions): Promise<LearnedReport | undefined>;
  /** Learns from every session of this work tree that is over, also where its process was killed. */
  finishSessions(options?: Pick<FinishSessionOptions, "isQuick">): Promise<LearnedReport[]>;
  /**
   * The conversation of a session. Nothing is read or written before it is asked for.
   *
   * @example
   * const conversation = memory.conversation("s1");
   * await conversation.append({ role: "user", content: "Why do retries fail?" });
   * const { messages } = await conversation.window();
   */
  conversation(sessionId: string, options?: ConversationOptions): Conversation;

  /** Indexes the code of the work tree, or what has changed of it. */
  index(options?: IndexCodeOptions): Promise<IndexReport>;
  /** What depends on a file, a folder or a symbol: by depth, with the way there, the tests, and the memories that hang on it. */
  impact(target: string, options?: ImpactOptions): Promise<CodeImpact>;
  /** The parts of the code that answer a question, best first. */
  recallCode(question: string, options?: RecallCodeOptions): Promise<CodeAnswer>;
  /** The graph as text: JSON, dot or Mermaid, in pieces. */
  exportGraph(options?: ExportGraphOptions): AsyncIterable<string>;

  /** Gives every memory its vector now. It happens by itself in the background of a process that stays open. */
  embedPending(options?: EmbedOptions): Promise<EmbedReport>;
  /** How the store is used: vectors, questions, and calls of language models. */
  stats(): Promise<Stats>;
  close(): Promise<void>;

  /** What waits for a person, why, and what the code speaks against. */
  readonly review: MemoryReview;
  /** The code of the work tree beyond `index`, `impact` and `recallCode`: modules, concepts, the map. */
  readonly code: MemoryCode;
  /** Sessions of agents, beyond `observe`, `inject` and `finishSession`. */
  readonly sessions: MemorySessions;
  /** What was said beyond one `conversation`: imports, facts, the context of the day, MEMORY.md. */
  readonly conversations: MemoryConversations;
  /** What the roles of a build need: planner, QA, relay, step limits, work state. */
  readonly builds: MemoryBuilds;
  /** Which project this is, the others of the store, and their settings. */
  readonly projects: MemoryProjects;
  /** Memories in and out: files, folders, Chroma, git. */
  readonly exchange: MemoryExchange;
  /** The database: backup, health, pruning. */
  readonly store: MemoryStore;
}
