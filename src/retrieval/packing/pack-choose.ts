import type { CountTokens } from "../../base/tokens/tokens.js";
import { shortId } from "../../base/ids/ids.js";
import { listShares, memoryType } from "../../memory/type-registry/type-registry.js";
import type { Memory, Phase } from "../../memory/memory.js";
import type { Fold } from "./pack-fold.js";
import { cutBlock, renderBlocks, type PackBlock } from "./pack-text.js";

/** Which memories are told, best first, and why the others are not. */
export interface PackChoice {
  chosen: PackBlock[];
  leftOut: { id: string; reason: string }[];
}

// Of an answer of 10,000 all but the first few hundred would be counted in vain, 50 µs each. A larger budget may hold more: a
// memory takes 18 tokens at the very least.
const fewestTried = 250;
const tokensOfShortest = 10;

/**
 * Chooses what is told within the budget, from memories that come best first. The best one always is. In a phase each type
 * then has its share of the budget, and the types without one have the rest together; what the shares leave goes to those
 * that wait, again best first.
 */
export function chooseBlocks(
  folds: readonly Fold[],
  budgetTokens: number,
  phase: Phase | undefined,
  countTokens: CountTokens,
): PackChoice {
  const maxTried = Math.max(fewestTried, Math.ceil(budgetTokens / tokensOfShortest));
  const blocks = renderBlocks(folds.slice(0, maxTried), countTokens);
  const taken = new Map<Fold, PackBlock>();
  const reasons = new Map<Fold, string>();
  const headings = new Set<string>();
  const shares = sharesOf(phase, budgetTokens);
  let left = budgetTokens;

  const needsOf = (block: PackBlock): number => block.tokens + (headings.has(block.heading) ? 0 : block.headingTokens);
  const take = (block: PackBlock, maxTokens: number): boolean => {
    const needs = needsOf(block);
    if (needs > maxTokens) return false;
    const share = shareOf(block.fold.memory, phase);
    shares.set(share, (shares.get(share) ?? 0) - needs);
    left -= needs;
    headings.add(block.heading);
    taken.set(block.fold, block);
    return true;
  };
  const leaveOut = (block: PackBlock): void => {
    reasons.set(block.fold, `takes ${needsOf(block)} tokens, and ${left} of ${budgetTokens} are left`);
  };

  const [best, ...others] = blocks;
  if (best && !take(best, left)) {
    const cut = cutBlock(best, left - best.headingTokens, countTokens);
    if (!cut || !take(cut, left)) leaveOut(best);
  }
  const waiting = others.filter((block) => {
    const share = phase === undefined ? 0 : (shares.get(shareOf(block.fold.memory, phase)) ?? 0);
    return !take(block, Math.min(left, share));
  });
  for (const block of waiting) if (!take(block, left)) leaveOut(block);

  return {
    chosen: folds.flatMap((fold) => taken.get(fold) ?? []),
    leftOut: folds
      .filter((fold) => !taken.has(fold))
      .flatMap((fold) => leftOutWith(fold, reasons.get(fold) ?? `scores less than ${maxTried} others`)),
  };
}

const rest = "other";

function sharesOf(phase: Phase | undefined, budgetTokens: number): Map<string, number> {
  if (phase === undefined) return new Map();
  const shares = listShares(phase);
  const left = 1 - shares.reduce((sum, [, share]) => sum + share, 0);
  return new Map([...shares, [rest, left] as const].map(([type, share]) => [type, share * budgetTokens]));
}

function shareOf({ type }: Memory, phase: Phase | undefined): string {
  return phase !== undefined && memoryType(type).shares[phase] !== undefined ? type : rest;
}

function leftOutWith({ memory, similar }: Fold, reason: string): PackChoice["leftOut"] {
  const sameFate = `says nearly the same as #${shortId(memory.id)}, which is left out`;
  return [{ id: memory.id, reason }, ...similar.map(({ id }) => ({ id, reason: sameFate }))];
}
