import { checkClaims } from "../trust/check-claims.js";
import { readPlainStatement, saysNothingElse } from "../trust/plain-statement.js";
import type { WordedSession } from "./clear-sightings.js";
import type { Candidate } from "./compose-candidates.js";

const gitMs = 1000;
const maxChecked = 10;

/**
 * The same candidates; those that say no more than where something is in the code, and are right about it, do not wait for
 * what their session had read: whoever worded it, git says the same. What repeats an instruction still waits.
 */
export async function liftVerified(
  session: Pick<WordedSession, "root" | "commit" | "tracked">,
  candidates: readonly Candidate[],
): Promise<Candidate[]> {
  const lifted: Candidate[] = [];
  let checked = 0;
  for (const candidate of candidates) {
    const { outside, content, data, tags, pendingReason, relatedFiles } = candidate;
    const isTracked = (file: string) => typeof session.tracked === "object" && session.tracked.has(file);
    const isHeld = outside !== undefined && outside.from !== "instruction" && pendingReason === undefined;
    const isBare = saysNothingElse(content, data) && !tags && relatedFiles.every(isTracked);
    const claims = isHeld && isBare ? readPlainStatement(content) : undefined;
    const isVerified = claims && checked++ < maxChecked && (await checkClaims(session, claims, { timeoutMs: gitMs }));
    const { outside: _outside, ...verified } = candidate;
    lifted.push(isVerified ? verified : candidate);
  }
  return lifted;
}
