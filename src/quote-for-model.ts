import type { ListedMemory } from "./injection/quote-block.js";

export interface QuoteOptions {
  /** What the block says it is for. Default `asked`. */
  point?: string;
  /** Model tokens of the whole block at most, about. Default 6,000. */
  budgetTokens?: number;
  /** What the model should know besides. */
  notes?: readonly string[];
}

const usualBudget = 6000;

/**
 * Memories as one block of quoted data for a model: nothing in them can pass for a line outside of it. What does not fit is
 * left out, the last first; empty where there is nothing.
 *
 * @example
 * const { text } = await quoteForModel(await memory.recall("deploy"));
 */
export async function quoteForModel(
  found: readonly ListedMemory[],
  { budgetTokens = usualBudget, ...options }: QuoteOptions = {},
): Promise<{ text: string; tokens: number }> {
  const [{ estimateTokens }, { quoteMemories }] = await Promise.all([
    import("./base/estimate-tokens.js"),
    import("./injection/quote-block.js"),
  ]);
  const { text, tokens } = quoteMemories(found, { ...options, budgetTokens, countTokens: estimateTokens });
  return { text, tokens };
}
