import type { MemoryContext } from "../../memory/change/change.js";
import type { LanguageModel } from "../../language-model/language-model.js";
import type { Memory } from "../../memory/memory.js";
import type { Project } from "../../project/project.js";
import type { Writer } from "../../storage/storage.js";
import type { SessionRecord } from "../cross-session/session-queries.js";
import type { ReadSession } from "../watch/read-session.js";

/** What promotion asks beyond the store. */
export interface PromotionPorts {
  context: MemoryContext;
  /** Words candidates better than a template can; undefined where none is configured. */
  languageModel?: () => Promise<LanguageModel | undefined>;
  /** For each text whether a memory means the same; where no model is at hand, words decide alone. */
  isKnown?: (texts: readonly string[]) => Promise<boolean[]>;
  /** What else is to be kept of a session that is over, in the same write and once. */
  alsoWrite?: (writer: Writer, project: Project, finished: CompletedSession) => Promise<void>;
}

/** A session that is over, with all that one spool holds of it. */
export type CompletedSession = Pick<ReadSession, "spoolId" | "sessionId" | "pads">;

/** What became of a session. */
export interface LearnedReport {
  sessionId: string;
  session: SessionRecord;
  /** What it led to and is in force. */
  learned: Memory[];
  /** What it led to and waits for a person. */
  waiting: Memory[];
  /** What was known already, or in other words. */
  known: number;
  /** What was left for lack of room: a session may lead to so many. */
  left: number;
  /** True when it had been taken in before, and nothing was done. */
  isRepeated?: true;
}
