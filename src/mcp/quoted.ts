import type { Memory } from "../index.js";

/** A memory to be told, as recall gives it or without a question. */
export interface Told {
  memory: Memory;
  why?: string;
  score?: number;
}

export interface QuoteOptions {
  /** What the block is: `recall`, `impact`. One of our own words. */
  point: string;
  /** Lines beside the memories: of whatever origin, they are quoted too. */
  notes?: readonly string[];
  budgetTokens?: number;
}

// What fits beside the work of an agent; its client cuts at several times that.
const defaultBudgetTokens = 4000;

/** The block in which a model is shown texts. Everything that is not this room's own sentence or a number goes through here. */
export async function quote(told: readonly Told[], options: QuoteOptions): Promise<string> {
  const { quoteForModel } = await import("../index.js");
  return (await quoteForModel([...told], { budgetTokens: defaultBudgetTokens, ...options })).text;
}

/** The same for lines without a memory. */
export async function quoteLines(lines: readonly string[], point: string): Promise<string> {
  return quote([], { point, notes: lines });
}
