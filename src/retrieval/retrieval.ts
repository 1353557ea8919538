/**
 * retrieval: the right memory first, with its reason.
 *
 * It looks for candidates by words, by meaning, by the files in play and by exact names, weighs what speaks for each,
 * and packs the best into a budget of tokens. It refuses writing memories, and a model's word without a check.
 */
import type { Memory, MemoryFilter, Phase } from "../memory/memory.js";

export interface RecallOptions extends MemoryFilter {
  /** How many at most; all that match when absent. */
  limit?: number;
  /** Leave out what scores less, 0 to 1. */
  minScore?: number;
  /** Leave out what is trusted less now, 0 to 1. */
  minConfidence?: number;
  /** `words` asks no model, not even the bundled one. Default `hybrid`: words and meaning. */
  mode?: RecallMode;
  /** What the agent is doing: some types of memory count more in some phases. */
  phase?: Phase;
  /** The order of what is found. Which are found, relevance decides. Default `relevance`. */
  sort?: "relevance" | "recent" | "confidence" | "uses";
  /** The files in play: their memories, and those of the code around them, are candidates too. */
  recentFiles?: readonly string[];
  /** The tools that were used last: after an analysis of the code's structure, the code around counts more. */
  recentTools?: readonly string[];
  /** Also what is true everywhere, from the project `user`. Default true. */
  includeUser?: boolean;
  /** Say of each result how it was found and weighed. */
  explain?: boolean;
  /** False where nobody asked: then no language model is asked either, and it counts as no question. Default true. */
  explicit?: boolean;
  /**
   * Where nothing is found, memories that wait for their vectors get them first, for so long at most, and it is looked for
   * again. Default 0.
   */
  waitForVectorsMs?: number;
}

export type RecallMode = "hybrid" | "words";

export interface RecallResult {
  memory: Memory;
  /**
   * 0 to 1. Of the best result it says how strong the evidence is: the share of the question's weight that its words
   * carry, or how near its meaning is, whichever is more. The others stand in proportion to it. Both after the weights
   * of source, confidence, age and phase. After a reranker the order is its own, and the scores stay with the places.
   */
  score: number;
  /** The words of the question that are in this memory, as they were asked. */
  matched: string[];
  /** One sentence for a person: why this memory came. */
  why: string;
  /** With `explain`. */
  explanation?: Explanation;
}

/** How a result was found and weighed. Every factor is 1 where it changed nothing. */
export interface Explanation {
  /** Its rank in each path that found it, from 1, and how strongly: a share of the question's weight, a cosine. */
  paths: Partial<Record<Path, { rank: number; strength: number }>>;
  /**
   * What stands around it: the turns before and after and the rest of its session, who speaks, when, and the code. `turns` is
   * below 1 for an archive that was put behind turns that it sums up.
   */
  lifts: { turns: number; speaker: number; time: number; code: number };
  weights: Weights;
  /** 0 to 1, before the weights. */
  evidence: number;
  /** What the reranker said, where one was asked. */
  reranked?: number;
  /** Signs that it may no longer hold. */
  marks: string[];
}

export type Path = "words" | "meaning" | "code" | "name";

export interface Weights {
  phase: number;
  /** Who said it. */
  trust: number;
  /** What is left of the confidence with which it was stated. */
  confidence: number;
  recency: number;
  /** Whether the files it speaks of have changed since. */
  staleness: number;
  /** From the project itself, or from the project `user`. */
  place: number;
  /** What was kept stands before what was only said: above 1 for the one, below for the other, where both answer. */
  talk: number;
}

/** Everything that recall can say about an answer. */
export interface RecallReport {
  results: RecallResult[];
  /** How it was searched: `words` too where meaning could not be had. */
  mode: RecallMode;
  /** What kind of question it was taken for. */
  kind: QueryKind;
  /** What the reader should know, such as why meaning was not used. */
  notes: string[];
  /** What matched and did not come, and why. */
  heldBack: HeldBack[];
  /** Whether the code around lifted a result, and whether that changed the first eight. */
  isLifted: boolean;
  codeChangedTop: boolean;
}

export interface HeldBack {
  id: string;
  citationText: string;
  reason: string;
}

/** By an identifier or a path, by the structure of the code, or by what is meant. */
export type QueryKind = "identifier" | "structural" | "semantic";

/** What a question looks like to recall, before anything is searched. */
export interface QueryExplanation {
  /** The words that are searched for. */
  words: string[];
  /** The words that carry no meaning of their own and were left out. */
  ignored: string[];
  /** Set when the question cannot find anything, with the reason. */
  note?: string;
}
