import type { RecordedMemory } from "./injection-queries.js";

// What tools answer takes 2.2 (test output, listings) to 4.0 characters a token (prose), code 3.7, by o200k_base over this
// project (2026-11): rather too few tokens than too many.
const charactersPerToken = 4;

/**
 * About how many tokens a memory saved that was used: what finding it out had taken in the sessions that it was learned from,
 * on average. Of an error these are the runs that failed and everything that was looked at and run from the last of them until
 * the command passed; of a dead end all calls of the attempt that was given up; of what was searched for again and again, the
 * searches. Only what tools answered and the commands themselves count, not what was written, nor thinking, nor that it is all read
 * again with every step: it was rather more. 0 for what somebody stated, and for all that was learned otherwise, since
 * nobody measured it.
 */
export function savedTokens({ cost = 0 }: Pick<RecordedMemory, "cost">): number {
  return Math.round(cost / charactersPerToken);
}
