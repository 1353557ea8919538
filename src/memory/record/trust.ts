import type { MemoryRecord, Source } from "../memory.js";
import { isTaintedSql } from "./sound-json.js";

/** What decides whether a memory is trusted. */
export type Trust = Pick<MemoryRecord, "trustFlags" | "source" | "userVerified">;

const inferred = new Set<Source>(["observer_inferred", "qa_auto", "mcp_auto", "commit_auto"]);
const inferredSql = [...inferred].map((source) => `'${source}'`).join(", ");

/**
 * True for what does not speak before a person has looked at it: a pending review of something that was only inferred or
 * came from outside. What an agent or a person said outright speaks meanwhile.
 */
export function isPendingReview(record: Trust & Pick<MemoryRecord, "review">): boolean {
  const { review, userVerified, trustFlags, source } = record;
  return review.state === "pending" && !userVerified && (inferred.has(source) || trustFlags.includes("tainted"));
}

/** The same as SQL over `memories AS m`. */
export const isPendingReviewSql = `(m.review_state = 'pending' AND m.user_verified = 0
    AND (m.source IN (${inferredSql}) OR ${isTaintedSql}))`;

/** True for what an agent said that nobody watched, until a person verifies it: no use makes up for that. */
export function isUnverified({ trustFlags, userVerified }: Pick<MemoryRecord, "trustFlags" | "userVerified">): boolean {
  return trustFlags.includes("unverified") && !userVerified;
}

/** Whether nobody vouches for it: it came from outside or was said unwatched, and no person has looked at it. */
export function isUnvouched(record: Pick<MemoryRecord, "trustFlags" | "userVerified">): boolean {
  return isUnverified(record) || (record.trustFlags.includes("tainted") && !record.userVerified);
}

/** `isUnverified` as SQL over `memories AS m`. */
export const isUnverifiedSql = `(m.user_verified = 0 AND m.trust_flags LIKE '%"unverified"%')`;

/** Being used often proves nothing about what came from outside, or what was inferred or said unwatched and nobody verified. */
export function mayEarnByUse(record: Trust): boolean {
  const { trustFlags, source, userVerified } = record;
  return !trustFlags.includes("tainted") && !isUnverified(record) && (userVerified || !inferred.has(source));
}

/** The same as SQL over `memories AS m`. */
export const mayEarnByUseSql = `NOT (${isTaintedSql} OR ${isUnverifiedSql} OR (m.user_verified = 0 AND m.source IN (${inferredSql})))`;
