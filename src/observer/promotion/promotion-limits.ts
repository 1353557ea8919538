import type { SessionType } from "../observer.js";

/** How many memories one session may lead to. From the seed of the product. */
export const promotionLimits: Readonly<Record<SessionType, number>> = {
  build: 20,
  pr_review: 8,
  insights: 5,
  roadmap: 3,
  terminal: 3,
  spec: 3,
  changelog: 0,
};
