import { indexTokens } from "../../base/text/text.js";
import { isTurn } from "../candidates/candidate.js";
import type { RankedCandidate } from "./rank.js";
import type { RecallOptions } from "../retrieval.js";

/**
 * Of turns that only ask the query itself the best stands for all: sessions that each began with it would else answer it
 * with itself, once each. Other turns in the same words stay: what "at eight" means is for each session to say. Not where types
 * are asked for.
 */
export function withoutRepeatedQuery(
  ranked: RankedCandidate[],
  query: string,
  { type, types }: Pick<RecallOptions, "type" | "types">,
): RankedCandidate[] {
  if (type !== undefined || types !== undefined) return ranked;
  const asked = indexTokens(query);
  const first = ranked.find((one) => asks(one, asked));
  return ranked.filter((one) => one === first || !asks(one, asked));
}

function asks({ candidate: { facts, columns } }: RankedCandidate, asked: string): boolean {
  return isTurn(facts) && columns[0] === asked;
}
