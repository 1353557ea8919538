import type { ListedMemory } from "./quote-block.js";

export interface QuoteOptions {
  /** What the block says it is for. Default `asked`. */
  point?: string;
  /** Model tokens of the whole block at most, about. Default 6,000. */
  budgetTokens?: number;
  /** What the model should know besides; it comes before the memories. */
  notes?: readonly string[];
  /** What follows the memories, as many lines as fit; at least half of the room is theirs. */
  lines?: readonly string[];
}

/** What a model is shown, and what of it did not fit. */
export interface Quoted {
  /** Empty where there is nothing. */
  text: string;
  tokens: number;
  /** Ids of the memories that stand in it. */
  included: string[];
  /** How many do not. */
  leftOut: number;
  /** How many of the lines stand in it, from the first. */
  lines: number;
}

const usualBudget = 6000;

/**
 * Memories as one block of quoted data for a model: nothing in them can pass for a line outside of it. What does not fit is
 * left out and counted; empty where there is nothing.
 *
 * @example
 * const { text } = await quoteForModel(await memory.recall("deploy"));
 */
export async function quoteForModel(
  found: readonly ListedMemory[],
  { budgetTokens = usualBudget, ...options }: QuoteOptions = {},
): Promise<Quoted> {
  const [{ estimateTokens }, { quoteMemories }] = await Promise.all([
    import("../../base/tokens/tokens.js"),
    import("./quote-block.js"),
  ]);
  const block = quoteMemories(found, { ...options, budgetTokens, countTokens: estimateTokens });
  const included = block.included.map(({ id }) => id);
  const { text, tokens, lines } = block;
  return { text, tokens, included, leftOut: found.length - included.length, lines };
}
