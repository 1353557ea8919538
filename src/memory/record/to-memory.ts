import { earnedConfidence, decayedConfidence, lastUsed, settledReview } from "./decay.js";
import { isPendingReview } from "./trust.js";
import type { MemoryRecord, Drift, Memory, Status } from "../memory.js";
import { typeHalfLife } from "../type-registry/memory-types.js";
import type { Project } from "../../project/project.js";

/** What else decides how a memory stands. */
export interface Circumstances {
  /** A turn that an archive sums up does not expire. */
  isArchived?: boolean;
  /** When this store got it, where another had it before. */
  arrivedAt?: string;
  /** What the code says against it. */
  drift?: Drift[];
}

/** A memory as it stands at a moment: its status, and what use and time have made of its confidence. */
export function toMemory(record: MemoryRecord, circumstances: Circumstances, project: Project, now: Date): Memory {
  const confidence = earnedConfidence(record);
  const halfLifeDays = record.halfLifeDays ?? typeHalfLife(record.type);
  const lastUsedAt = lastUsed(record, circumstances.arrivedAt);
  return Object.assign(withoutInner(record), {
    project: project.id,
    status: statusOf(record, circumstances, now),
    confidence,
    currentConfidence: decayedConfidence(confidence, { halfLifeDays, pinned: record.pinned, lastUsedAt }, now),
    review: settledReview(record),
    ...(halfLifeDays !== undefined && { halfLifeDays }),
    ...(circumstances.drift && { drift: circumstances.drift }),
  });
}

type Shown = Omit<MemoryRecord, "usesSinceCorrection" | "releasedNames">;

/** The fields that are shown. Copied one by one: rest and spread take three times as long for so many (12 and 4 µs). */
function withoutInner(record: MemoryRecord): Shown {
  const shown: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(record)) {
    if (field !== "usesSinceCorrection" && field !== "releasedNames") shown[field] = value;
  }
  return shown as unknown as Shown;
}

/** The same order of precedence as in `memory-filter.ts`. */
function statusOf(record: MemoryRecord, { isArchived = false }: Circumstances, now: Date): Status {
  if (record.forgottenAt !== undefined) return "forgotten";
  if (record.validUntil !== undefined) return "superseded";
  if (record.expiresAt !== undefined && record.expiresAt <= now.toISOString() && !isArchived) return "expired";
  if (record.review.state === "flagged") return "flagged";
  return isPendingReview(record) ? "waiting" : "active";
}
