/**
 * retrieval: the right memory first, with its reason.
 *
 * It finds and ranks; it refuses writing memories. Today it looks by words and by exact names.
 */
import type { Memory, MemoryFilter } from "../memory/memory.js";

export interface RecallOptions extends MemoryFilter {
  /** How many at most; all that match when absent. */
  limit?: number;
  /** Leave out what scores less, 0 to 1. */
  minScore?: number;
  /** Also what is true everywhere, from the project `user`, below the project's own. Default true. */
  includeUser?: boolean;
}

export interface RecallResult {
  memory: Memory;
  /** 0 to 1: how much of the question's weight, rare words counting more, this memory carries; see score-words.ts. */
  score: number;
  /** The words of the question that are in this memory, as they were asked. */
  matched: string[];
  /** One sentence for a person: why this memory came. */
  why: string;
}

/** What a question looks like to recall, before anything is searched. */
export interface QueryExplanation {
  /** The words that are searched for. */
  words: string[];
  /** The words that carry no meaning of their own and were left out. */
  ignored: string[];
  /** Set when the question cannot find anything, with the reason. */
  note?: string;
}
