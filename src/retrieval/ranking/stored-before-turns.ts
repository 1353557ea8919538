import { isArchive, isTurn } from "../candidates/candidate.js";
import type { RankedCandidate } from "./rank.js";
import type { RecallOptions } from "../retrieval.js";
import { round } from "./weigh.js";

// Of what is said best. In 72 turns of talk about six subjects the fact that answers had 0.34 to 0.96 of the best turn's score and
// stood at places 13 to 61, behind the very query; a fact about something else had less than 0.2 (2026-11).
const leastShare = 0.3;

/**
 * Puts the best of what was kept before what was only said about the same, and leaves the order within both: a session says
 * the words of a query more often than any memory does, beginning with the query itself. Both sides move half of the
 * way, so that neither loses what it scored. Not where what was kept hardly answers, or where types are asked for.
 */
export function storedBeforeTurns(
  ranked: RankedCandidate[],
  { type, types }: Pick<RecallOptions, "type" | "types">,
): RankedCandidate[] {
  if (type !== undefined || types !== undefined) return ranked;
  const [kept, said] = [bestOf(ranked, false), bestOf(ranked, true)];
  if (kept >= said || kept < leastShare * said) return ranked;
  const level = Math.sqrt(kept * said);
  return ranked.map((one) => {
    if (one.candidate.paths.name) return one;
    const talk = level / (isConversation(one) ? said : kept);
    return { ...one, score: round(Math.min(1, one.score * talk)), weights: { ...one.weights, talk } };
  });
}

function bestOf(ranked: readonly RankedCandidate[], talk: boolean): number {
  return ranked.reduce(
    (best, one) => (isConversation(one) === talk && !one.candidate.paths.name ? Math.max(best, one.score) : best),
    0,
  );
}

/** A turn, or the summary of turns. */
export function isConversation({ candidate: { facts } }: Pick<RankedCandidate, "candidate">): boolean {
  return isTurn(facts) || isArchive(facts);
}
