import type { Memory } from "../../memory/memory.js";

/** Who would be told, and how sure it has to be. */
export interface TellingOptions {
  minConfidence: number;
  /** What was kept for one session only is told in that one. */
  sessionId?: string | undefined;
}

/**
 * Whether a memory may be told to somebody who did not ask: in force, not from outside, nothing that a person still has to
 * look at, and sure enough.
 */
export function mayBeTold(memory: Memory, { minConfidence, sessionId }: TellingOptions): boolean {
  const { status, trustFlags, review, userVerified, currentConfidence, scope } = memory;
  if (status !== "active" || currentConfidence < minConfidence) return false;
  if (scope === "session" && memory.sessionId !== sessionId) return false;
  return userVerified || (review.state === "none" && !trustFlags.includes("tainted"));
}
