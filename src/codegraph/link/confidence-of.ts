import type { EdgeKind, Tier } from "../codegraph.js";

// The precision of calls beside the TypeScript checker, rounded down: 69,726 edges of 18 repositories, 2026-11. Scope 99.9 % of
// 12,879, import 99.5 % of 24,170, receiver 99.1 % of 32,423, vote 94.4 % of 254. Of what counts as wrong, seven in ten
// stand where the checker itself knows no type. What git says has no truth to compare with.
const byTier: Record<Tier, number> = {
  syntax: 1,
  precise: 0.99,
  scope: 0.99,
  import: 0.99,
  receiver: 0.99,
  vote: 0.94,
  history: 0.5,
};

/** How often an edge of a kind that was found this way is right. */
export function confidenceOf(tier: Tier, kind: EdgeKind): number {
  return kind === "contains" ? 1 : byTier[tier];
}
