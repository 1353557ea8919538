import type { RecallOptions, RecallResult } from "../../retrieval/retrieval.js";
import { isEligible, type Recipient } from "../eligibility/is-eligible.js";

/** Asks recall in one way or another. */
export type Ask = (options: RecallOptions & { limit: number }) => Promise<RecallResult[]>;

/**
 * What recall finds and may be told, best first. Recall knows nothing of sessions and branches: where what was kept for others
 * has taken places, it is asked once more without that.
 */
export async function recallEligible(
  ask: Ask,
  options: RecallOptions & { limit: number },
  listener: Recipient,
): Promise<RecallResult[]> {
  const { minConfidence, includeUnverified = false } = listener;
  const given = { ...options, minConfidence, includeUnverified, explicit: false };
  const first = await ask(given);
  const told = first.filter(({ memory }) => isEligible(memory, listener));
  if (first.length < options.limit || told.length === first.length) return told;
  const silent = first.filter((result) => !told.includes(result)).map(({ memory }) => memory.id);
  const excludeIds = [...(options.excludeIds ?? []), ...silent];
  const again = await ask({ ...given, excludeIds });
  return again.filter(({ memory }) => isEligible(memory, listener));
}
