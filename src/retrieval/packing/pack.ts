import { loadTokenCounter } from "../../base/tokens/tokens.js";
import { MemoryError } from "../../base/memory-error.js";
import type { Phase } from "../../memory/memory.js";
import { chooseBlocks } from "./pack-choose.js";
import { foldSimilar, type ScoredMemory } from "./pack-fold.js";
import { layOut } from "./pack-text.js";

export interface PackOptions {
  /** What the agent is doing: decides the budget, and how much of it each type gets. Absent: every type alike. */
  phase?: Phase;
  /** Model tokens of the whole text at most; by phase where absent. */
  budgetTokens?: number;
}

/** Memories as one text for a model. Every result is in exactly one of the three lists. */
export interface Packed {
  /** Markdown, to be quoted as data; empty when nothing fits. */
  text: string;
  /** What the text takes, counted with the tokenizer of o200k_base. */
  tokens: number;
  budgetTokens: number;
  /** In the order of the text, each with what it takes of it, headings not counted. */
  included: { id: string; tokens: number }[];
  /** Says nearly the same as one that is included, which names it. */
  folded: { id: string; into: string }[];
  /** With a sentence for a person. */
  leftOut: { id: string; reason: string }[];
}

// Seed of the product.
const budgets: Record<Phase, number> = {
  define: 2500,
  implement: 3000,
  validate: 2500,
  refine: 2000,
  explore: 2000,
  reflect: 1500,
};
const budgetWithoutPhase = 2500;

/**
 * Puts results of a recall into a text that takes no more than its budget of model tokens, headings and all. Those that
 * say nearly the same become one, those about the same file stand together, and each ends with its citation,
 * `[Memory #1a2b3c4d: …]`. The result with the best score is always there, cut at a sentence if it alone is too long; every
 * other one is there whole or not at all.
 *
 * @example
 * const { text, leftOut } = await pack(await memory.recall("deploy"), { phase: "implement" });
 */
export async function pack(results: readonly ScoredMemory[], options: PackOptions = {}): Promise<Packed> {
  const { phase } = options;
  const budgetTokens = checkBudget(options);
  const countTokens = await loadTokenCounter();
  // Whatever order the results were asked for in: the score says what is worth telling.
  const folds = foldSimilar(results.toSorted((a, b) => b.score - a.score));
  const { chosen, leftOut } = chooseBlocks(folds, budgetTokens, phase, countTokens);
  const { text, blocks } = layOut(chosen);
  return {
    text,
    tokens: countTokens(text),
    budgetTokens,
    included: blocks.map(({ fold, tokens }) => ({ id: fold.memory.id, tokens })),
    folded: blocks.flatMap(({ fold }) => fold.similar.map(({ id }) => ({ id, into: fold.memory.id }))),
    leftOut,
  };
}

function checkBudget({ phase, budgetTokens }: PackOptions): number {
  if (phase !== undefined && !Object.hasOwn(budgets, phase)) {
    throw new MemoryError(
      "invalid-input",
      `There is no phase ${JSON.stringify(phase)}.`,
      `Phases: ${Object.keys(budgets).join(", ")}.`,
    );
  }
  if (budgetTokens !== undefined && !(Number.isInteger(budgetTokens) && budgetTokens >= 0)) {
    throw new MemoryError(
      "invalid-input",
      `budgetTokens must be a whole number from 0, not ${String(budgetTokens)}.`,
      "Leave it out for the budget of the phase.",
    );
  }
  return budgetTokens ?? (phase === undefined ? budgetWithoutPhase : budgets[phase]);
}
