import type { CompactOptions } from "./archive/compact.js";
import type { ConsolidateOptions } from "./consolidation/consolidate.js";
import type { ContextOptions, StoredContext } from "./context/keyed-context.js";
import type {
  Compaction,
  Consolidation,
  ConversationState,
  MemoryFile,
  PromptFn,
  Replay,
  Turn,
  TurnInput,
  Window,
  WindowOptions,
} from "./conversation.js";
import type { ImportConversationOptions, ImportedConversation } from "./import/import-conversation.js";
import type { TurnQuery } from "./turns/turn-queries.js";
import type { Memory, MemoryInput, RememberedMemory } from "../memory/memory.js";

/** What was said, and what is made of it. */
export interface MemoryConversations {
  /** Every conversation of the project, newest first. */
  list(options?: { limit?: number }): Promise<ConversationSummary[]>;
  /**
   * Imports what was said elsewhere: a transcript of Claude Code, or JSON Lines with `role` and `content`. A second time, it
   * adds only what is new.
   */
  import(
    source: string | AsyncIterable<Uint8Array>,
    options?: ImportConversationOptions,
  ): Promise<ImportedConversation>;
  /** The exact turns that an archive sums up, oldest first. */
  archivedTurns(reference: string): Promise<Turn[]>;
  /**
   * Sets a value until the end of the user's day, in the place of what was set under this key. What an unwatched agent says
   * does not take the place of a trusted value: `beside` is then the id of the one that stays.
   */
  setContext(key: string, value: string, options?: ContextDetails): Promise<StoredContext>;
  /** The value that was set today. */
  getContext(key: string, options?: ContextOptions): Promise<string | undefined>;
  /** Stores something that stays true. With `category` and `field`, such as a user's name, it replaces the value before. */
  rememberFact(content: string, details?: FactDetails): Promise<RememberedMemory>;
  /** Stores something that was said for 30 days; with a session as its next turn. */
  rememberTurn(content: string, details?: SaidDetails): Promise<Memory>;
  /** Brings MEMORY.md and the memories into step, both ways, writes what is missing in HISTORY.md, and reports how they stand. */
  memoryFile(): Promise<MemoryFile>;
}

export interface ContextDetails extends ContextOptions {
  metadata?: NonNullable<MemoryInput["metadata"]>;
}

export interface ConversationOptions {
  /** How many messages stay when the rest is consolidated; kept with the conversation. Default: the setting `keepCount`. */
  keepCount?: number;
  /** Asks a model of one's own when it is consolidated. Default: the configured one, if there is one. */
  promptFn?: PromptFn;
  /** What `promptFn` is told to ask. */
  model?: string;
  /** Whether it is consolidated by itself beyond `memoryWindow` messages. Default true. */
  autoConsolidate?: boolean;
}

export interface Conversation {
  readonly sessionId: string;
  /** Adds what was said, one or several turns, all of them or none. Several processes may do so at once. */
  append(turns: TurnInput | readonly TurnInput[]): Promise<Turn[]>;
  /** Every turn in force, archived or not, oldest first. */
  turns(query?: TurnQuery): Promise<Turn[]>;
  /** The last turns, oldest first, ready for a prompt. */
  window(options?: WindowOptions): Promise<Window>;
  clearWindow(): Promise<void>;
  /** What was summed up last, and every turn since. */
  replay(): Promise<Replay>;
  /** Sums up the beginning as an archive. Undefined where there is no more than what stays. */
  compact(options?: CompactOptions): Promise<Compaction | undefined>;
  /** Takes what is worth keeping, and sums up the rest. */
  consolidate(options?: ConsolidateOptions): Promise<Consolidation>;
  /** Consolidates all of it, and only then begins anew with an empty window. */
  startNew(options?: Omit<ConsolidateOptions, "reason" | "keepCount">): Promise<Consolidation>;
  /** Undefined where nothing was said. */
  state(): Promise<ConversationState | undefined>;
}

export interface ConversationSummary {
  sessionId: string;
  createdAt: string;
  turns: number;
  lastSequence: number;
  consolidatedTo: number;
}

export interface FactDetails extends Omit<MemoryInput, "content" | "type" | "metadata"> {
  category?: string;
  field?: string;
  metadata?: NonNullable<MemoryInput["metadata"]>;
}

export interface SaidDetails extends Omit<MemoryInput, "content" | "type" | "data"> {
  /** Who said it, in a session. Default `user`. */
  role?: TurnInput["role"];
}
