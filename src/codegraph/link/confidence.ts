import type { EdgeKind, Tier } from "../codegraph.js";

const byTier: Record<Tier, number> = {
  syntax: 1,
  scope: 0.99,
  import: 0.99,
  receiver: 0.98,
  vote: 0.9,
  history: 0.5,
};

/** How often an edge of a kind that was found this way is right. */
export function confidenceOf(tier: Tier, kind: EdgeKind): number {
  return kind === "contains" ? 1 : byTier[tier];
}
