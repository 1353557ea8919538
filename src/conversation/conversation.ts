/**
 * conversation: what was said, kept without loss and given back small: turns, the window of the last ones, compaction into
 * archives, consolidation into what is worth keeping, and the files MEMORY.md and HISTORY.md.
 *
 * A turn is a memory, and so is an archive: there is no second store. It refuses ranking (retrieval), and to lose anything:
 * no turn leaves the working context unless an archive that leads to it is on disk.
 */
import type { MemoryContext } from "../memory/change/change.js";
import type { LanguageModel } from "../language-model/language-model.js";
import type { Memory, RememberedMemory } from "../memory/memory.js";

/** Who says a turn. */
export type Role = "user" | "assistant" | "system" | "tool";
export const roles: readonly Role[] = ["user", "assistant", "system", "tool"];

/** What is said. */
export interface TurnInput {
  role: Role;
  content: string;
  /** ISO 8601; default now. */
  timestamp?: string;
  toolsUsed?: string[];
  /** Of what a person says: it repeats, word for word, what a tool had shown in the session. */
  isPasted?: boolean;
}

/** A turn as it is kept. One that is too long for one memory is kept in several, and comes back as one. */
export interface Turn {
  role: Role;
  content: string;
  timestamp: string;
  toolsUsed: string[];
  /** Its place in the conversation, from 1; that of its first part. Places of later parts are taken. */
  sequence: number;
  /** Of its last part; the same for a turn that is one memory. */
  lastSequence: number;
  /** Of the memory, or of the memories of its parts. */
  ids: string[];
  /** It was said where something from outside had been read. */
  isTainted: boolean;
  /** It repeats what a tool had shown in the same session. */
  isPasted?: true;
}

/** A message as models take it. */
export interface Message {
  role: "user" | "assistant";
  content: string;
  timestamp: string;
  /** As of its turn. Of a user: an agent said it for them. */
  isTainted?: true;
}

export interface WindowOptions {
  /** How many turns: what the user says and what is answered are one. Default: the setting `windowTurns`, 5. */
  turns?: number;
  /** At most so many tokens; the oldest messages are left out, and of a single one that is too long its beginning. */
  maxTokens?: number;
}

/** The last turns, oldest first, ready for a prompt. */
export interface Window {
  messages: Message[];
  /** About how many tokens they take. */
  tokens: number;
  /** How many messages of the turns that were asked for did not fit. */
  leftOut: number;
}

/** Where a prefix of a conversation was compacted. It is there if and only if its archive is. */
export interface Marker {
  archiveName: string;
  archivedAt: string;
  /** The turns that the archive sums up, by their sequence. */
  first: number;
  last: number;
}

/** The conversation as it goes on: what was summed up last, and every turn since. */
export interface Replay {
  marker?: Marker;
  /** The archive of the marker. */
  archive?: Memory;
  turns: Turn[];
}

/** How a conversation stands. */
export interface ConversationState {
  sessionId: string;
  /** When it began: never later than it was, whatever is said or taken in afterwards. */
  createdAt: string;
  /** Sequence of the last turn. */
  lastSequence: number;
  /** Up to where what is worth keeping was taken from it. */
  consolidatedTo: number;
  /** How many turns stay when the rest is consolidated. */
  keepCount: number;
  /** Oldest first. */
  markers: Marker[];
  /** How many messages came after the newest marker. */
  unarchived: number;
}

/** Asks a model of one's own. */
export type PromptFn = (
  message: string,
  options: { model: string; signal: AbortSignal },
) => Promise<{ content: string } | string>;

export interface Compaction {
  marker: Marker;
  archive: Memory;
  /** Every turn that it sums up. */
  turns: number;
}

export type ConsolidationReason = "asked" | "end" | "new" | "overflow";

export interface Consolidation {
  reason: ConsolidationReason;
  /** Absent where there was nothing that was not archived. */
  compaction?: Compaction;
  /** What is known now that was not, or is otherwise. */
  learned: RememberedMemory[];
  /** Ids of what gave way to it; `undo` brings one back. */
  superseded: string[];
  /** Ids of what a model left out that was asked to shorten what is known; `restore` brings one back. */
  forgotten: string[];
  /** Where a model was asked: `model`; `rules` where none was; `fallback` where it failed, and everything was kept as it is. */
  by: "model" | "rules" | "fallback";
  /** Why it was the fallback. */
  problem?: string;
  /** What stays, as one text for a prompt: the summary, and the turns since. */
  recap: string;
}

/** How MEMORY.md and HISTORY.md stand. */
export interface MemoryFile {
  /** Absent for a store in memory, and for a project that knows nothing yet. */
  folder?: string;
  file?: string;
  /** What it says, for a prompt: without what Tacit notes in it. */
  text: string;
  bytes: number;
  added: number;
  revised: number;
  forgotten: number;
  /** Lines that could not be taken in. */
  problems: string[];
}

/** What the room asks of others. */
export interface ConversationPorts {
  context: MemoryContext;
  /** Absent, or answering undefined: by rules. */
  languageModel?: () => Promise<LanguageModel | undefined>;
}
