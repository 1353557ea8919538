import { decayedConfidence } from "../../memory/record/record.js";
import { memoryType } from "../../memory/type-registry/type-registry.js";
import type { Phase, Source } from "../../memory/memory.js";
import type { CandidateFacts } from "../candidates/candidate.js";
import type { Weights } from "../retrieval.js";
import { recencyFactor } from "../staleness/estimate-staleness.js";

// From the seed of the product: what was taught counts most, what was only inferred least.
const trustOf: Record<Source, number> = {
  user_taught: 1.4,
  agent_explicit: 1.2,
  qa_auto: 1.1,
  mcp_auto: 1,
  commit_auto: 1,
  observer_inferred: 0.85,
};
// What an agent said with the confidence it has by default: there, a score is the evidence as it stands.
const usualTrust = trustOf.agent_explicit;
const usualConfidence = 0.8;

// Chosen, not measured: age says nothing about whether a memory answers, so that all of it moves less than one step of trust.
const maxByAge = 0.1;

// What holds everywhere stands back for what was said of this very project.
const elsewhere = 0.8;

// All together; beyond that, a memory that hardly answers would come before one that does.
const [least, most] = [0.4, 1.6];

export interface Circumstances {
  phase?: Phase;
  isFromUser: boolean;
  /** Commits of each of its files in the last 90 days. */
  churn: readonly number[];
  now: Date;
  /** The beginning of the day: by whole days, the same question has the same scores a moment later. */
  today: Date;
}

/**
 * What weighs for or against a memory, whatever was asked: each factor by itself.
 *
 * How often it was found is not among them, nor the confidence that use has earned: what was found would be found ever
 * more. On LoCoMo both together cost 1.9 points of R@5 and 1.2 of R@10, on Cranfield 0.009 of nDCG@10 (2026-11).
 */
export function weigh(facts: CandidateFacts, { phase, isFromUser, churn, now, today }: Circumstances): Weights {
  const { halfLifeDays, lastUsedAt } = facts;
  const confidence = decayedConfidence(facts.statedConfidence, { halfLifeDays, pinned: false, lastUsedAt }, now);
  return {
    phase: phase === undefined ? 1 : (memoryType(facts.type).weights[phase] ?? 1),
    trust: trustOf[facts.source] / usualTrust,
    confidence: Math.max(0.25, confidence / usualConfidence),
    recency: 1 - maxByAge * (1 - recencyFactor(facts.createdAt.slice(0, 10), churn, today)),
    staleness: 1,
    place: isFromUser ? elsewhere : 1,
    talk: 1,
  };
}

/**
 * Evidence after its weights, 0 to 1. As an exponent of the doubt: little evidence grows or shrinks in proportion, strong
 * evidence hardly moves, and none becomes more than 1. The place counts in full: of two equal answers the project's own is
 * first.
 */
export function weighed(evidence: number, weights: Weights): number {
  return round(weights.place * (1 - (1 - evidence) ** exponentOf(weights)));
}

/** The evidence that has this score after its weights. */
export function unweighed(score: number, weights: Weights): number {
  return 1 - (1 - score / weights.place) ** (1 / exponentOf(weights));
}

function exponentOf(weights: Weights): number {
  const { place: _place, talk: _talk, ...others } = weights;
  const weight = Object.values(others).reduce((product: number, factor: number) => product * factor, 1);
  return Math.min(most, Math.max(least, weight));
}

/** To what a reader can tell apart. */
export function round(score: number): number {
  return Math.round(score * 1e4) / 1e4;
}
