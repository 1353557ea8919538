/**
 * intake: many memories at once, all of them or none, whatever their number: checked, cleaned, recognised by their ids
 * and texts, and written in one transaction.
 *
 * It refuses to know where they come from: formats are exchange's.
 */
import type { StoredChange } from "../../memory/history/history.js";
import type { MemoryRecord } from "../../memory/memory.js";

/** A memory that arrives from outside. */
export interface ArrivingRecord {
  /** Its fields have the form that they have in a store; what is missing gets its default. */
  record: Partial<MemoryRecord> & { content: string };
  history?: StoredChange[];
  /** Where it stood, for messages: "memories.jsonl:17". */
  origin: string;
  /** It says nothing of its source itself: it is of a kind that people write, as rules for agents are. */
  isOfPeople?: true;
  /** It is true everywhere, and belongs to the project that is reserved for that. */
  project?: "user";
}

/** How far the claims of records count that say of themselves who vouches for them. */
export interface ArrivalRules {
  /** They count: a person asked for that, of a file of their own. */
  keepsClaims: boolean;
  isByAgent: boolean;
  /** Why none of it is to be trusted: it waits for a person. */
  doubt?: string | undefined;
  /** Why nobody can vouch for it. */
  unverified?: string | undefined;
}

export interface IntakeOptions {
  /** Without, what records say of themselves counts: the room that gives them has settled it. */
  rules?: ArrivalRules;
  /** Take names away from the memories that hold them. */
  rebind?: boolean;
  /** Only tell what would become of the records. */
  dryRun?: boolean;
  onProgress?(done: number, phase: "reading" | "writing"): void;
}

/** What became of the records that arrived. */
export interface IntakeReport {
  added: number;
  /** Known by their id, and newer than what the store had. */
  updated: number;
  /** Known by their id and not newer, or known by their text and adding nothing. */
  unchanged: number;
  /** Known by their text, and adding something to the memory that holds it. */
  merged: number;
  /** The ids of the memories that lost a name because it was rebound. */
  takenFrom: string[];
  /** How many of those that arrived had something in them that hygiene took out. */
  redacted: number;
  /** How many said of themselves that they are verified, pinned or taught by the user, and were not believed. Absent when there are none. */
  claimed?: number;
  /** Conversations whose session holds turns of another one here, and to which session they went. Absent when there are none. */
  renamedSessions?: { from: string; to: string }[];
}
