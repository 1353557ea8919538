import { memoryTypes } from "../type-registry/memory-types.js";
import type { MemoryRecord, Review } from "../memory.js";
import { mayEarnByUse, mayEarnByUseSql, type Trust } from "./trust.js";

// Seed of the product: what use adds, how often, and up to where.
const usesForConfidence = 5;
const addedConfidence = 0.05;
const maxEarned = 0.95;
const usesForReview = 10;

/** A memory that nobody used for so many half-lives is let go: an eighth of its confidence is left. */
export const prunedAfterHalfLives = 3;

const dayMs = 86_400_000;

/**
 * The confidence that was stated, and 0.05 for every five uses that nobody corrected, up to 0.95. It is worked out when
 * a memory is looked at, and never written: a correction takes back what use had added.
 */
export function earnedConfidence(record: Trust & Pick<MemoryRecord, "confidence" | "usesSinceCorrection">): number {
  if (!mayEarnByUse(record)) return record.confidence;
  const earned = addedConfidence * Math.floor(record.usesSinceCorrection / usesForConfidence);
  return Math.max(record.confidence, Math.min(maxEarned, round(record.confidence + earned)));
}

/** A pending review that ten uses without a correction have settled. What a person flagged stays flagged. */
export function settledReview(record: MemoryRecord): Review {
  const settled =
    record.review.state === "pending" && mayEarnByUse(record) && record.usesSinceCorrection >= usesForReview;
  return settled ? { state: "none" } : record.review;
}

/** What is left of a confidence after so much time without use. */
export function decayedConfidence(
  confidence: number,
  { halfLifeDays, pinned, lastUsedAt }: { halfLifeDays: number | undefined; pinned: boolean; lastUsedAt: string },
  now: Date,
): number {
  if (halfLifeDays === undefined || pinned) return confidence;
  const days = Math.max(0, now.getTime() - Date.parse(lastUsedAt)) / dayMs;
  return round(confidence * 0.5 ** (days / halfLifeDays));
}

/** Since when a memory fades: its last use, or when this store got it. */
export function lastUsed(
  record: Pick<MemoryRecord, "lastAccessedAt" | "storedAt">,
  arrivedAt: string | undefined,
): string {
  return (
    [record.lastAccessedAt, arrivedAt, record.storedAt]
      .filter((time) => time !== undefined)
      .toSorted()
      .at(-1) ?? ""
  );
}

/** The same as SQL over `memories AS m`. */
export const lastUsedSql = "max(m.stored_at, ifnull(m.last_accessed_at, ''), ifnull(m.arrived_at, ''))";

/** What `earnedConfidence` gives, as SQL over `memories AS m`. */
export const earnedConfidenceSql = `CASE WHEN ${mayEarnByUseSql}
  THEN max(m.confidence, min(${maxEarned}, m.confidence + ${addedConfidence} * (m.uses_since_correction / ${usesForConfidence})))
  ELSE m.confidence END`;

/**
 * The half-life of a memory as SQL over `memories AS m`: its own, or that of its type; NULL for what never fades. A constant,
 * although a process may define types: a memory of such a type has its half-life as its own (`stampedHalfLife`).
 */
export const halfLifeSql = `CASE WHEN m.pinned = 1 THEN NULL WHEN m.half_life_days IS NOT NULL THEN m.half_life_days ELSE CASE m.type
  ${memoryTypes
    .flatMap(({ type, halfLifeDays }) => (halfLifeDays === undefined ? [] : [`WHEN '${type}' THEN ${halfLifeDays}`]))
    .join(" ")} END END`;

/**
 * What cannot be trusted as much as `:minConfidence` any more does not hold, over `memories AS m`: to the thousandth, since what
 * is left of a confidence is reckoned when a memory is looked at. `:maxHalfLives` is how many bring a whole one down to that.
 */
export const sureEnoughSql: readonly string[] = [
  `${earnedConfidenceSql} >= :minConfidence - 0.001`,
  `ifnull(julianday(:now) - julianday(${lastUsedSql}) <= :maxHalfLives * (${halfLifeSql}) + 0.001, 1)`,
];

function round(confidence: number): number {
  return Math.round(confidence * 1e6) / 1e6;
}
