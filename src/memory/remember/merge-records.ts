import type { Json } from "../../base/base.js";
import { isUnverified } from "../record/trust.js";
import type { MemoryRecord } from "../memory.js";
import { memoryType, stampedHalfLife } from "../type-registry/memory-types.js";
import type { FieldValues } from "../write/write-fields.js";

/** A record that says something again. Without `storedAt`, no store had it before. */
type Arriving = Omit<MemoryRecord, "id" | "createdAt" | "storedAt" | "updatedAt" | "validFrom"> & Partial<MemoryRecord>;

/**
 * True when a record may go into one that holds the same text: nothing that it says would be lost, neither its name, its
 * session, its readers, nor a value that contradicts the older one's, nor what a person said about it. What nobody can vouch
 * for goes into what is known already, and adds nothing to it.
 */
export function mayMergeRecords(old: MemoryRecord, next: Arriving): boolean {
  return (
    (next.name === undefined || old.name === undefined || old.name === next.name) &&
    old.scope === next.scope &&
    old.visibility === next.visibility &&
    (next.scope !== "session" || old.sessionId === next.sessionId) &&
    Object.entries(next.metadata).every(
      ([key, value]) => !Object.hasOwn(old.metadata, key) || isSame(old.metadata[key], value),
    ) &&
    (["data", "workUnit", "methodology", "chunk"] as const).every(
      (field) => old[field] === undefined || next[field] === undefined || isSame(old[field], next[field]),
    ) &&
    (next.review.state === "none" || isSame(old.review, next.review) || addsNothing(old, next)) &&
    (!next.userVerified || old.userVerified)
  );
}

/** Said again by somebody for whom nobody can vouch: what is known already stays as it was, in every field. */
export function addsNothing(old: MemoryRecord, next: Arriving): boolean {
  return isUnverified(next) && !isUnverified(old) && old.review.state === "none";
}

/** Said by an agent that nobody watched, or by a file that nobody has accepted, and now by somebody who is trusted. */
export function isVouchedFor(old: MemoryRecord, next: Arriving): boolean {
  return isUnverified(old) && old.review.state !== "flagged" && !isUnverified(next) && next.review.state === "none";
}

/**
 * The fields that the older record gains, with their new values; none when it has everything. Its confidence and source
 * stay what they were: repeating is no proof, whoever does it. Only one that nobody vouched for becomes what the newer says.
 */
export function mergedFields(old: MemoryRecord, next: Arriving): FieldValues {
  if (addsNothing(old, next)) return {};
  const merged = isVouchedFor(old, next) ? vouchedFields(old, next) : addedFields(old, next);
  return Object.fromEntries(
    Object.entries(merged).filter(([field, value]) => !isSame(old[field as keyof MemoryRecord], value)),
  );
}

/** The text is the same, and everything else is taken from whoever is trusted: what stood beside it nobody vouches for. */
function vouchedFields(old: MemoryRecord, next: Arriving): FieldValues {
  const told = Object.fromEntries(saidBeside.map((field) => [field, next[field] as Json | undefined]));
  const times = (["createdAt", "validFrom", "storedAt"] as const).flatMap((field) =>
    next[field] === undefined ? [] : [[field, next[field]] as const],
  );
  return {
    ...told,
    ...Object.fromEntries(times),
    trustFlags: union(old.trustFlags, next.trustFlags).filter((flag) => flag !== "unverified"),
    review: { state: "none" },
    usesSinceCorrection: 0,
  };
}

const saidBeside = [
  "source",
  "confidence",
  "tags",
  "relatedFiles",
  "relatedModules",
  "graphNodes",
  "metadata",
  "data",
  "pinned",
  "citationText",
  "sessionId",
  "agent",
  "commit",
  "branch",
  "provenanceSessionIds",
  "workUnit",
  "methodology",
  "chunk",
  "halfLifeDays",
  "expiresAt",
] as const satisfies readonly (keyof MemoryRecord)[];

function addedFields(old: MemoryRecord, next: Arriving): FieldValues {
  const merged: FieldValues = {
    tags: union(old.tags, next.tags),
    relatedFiles: union(old.relatedFiles, next.relatedFiles),
    relatedModules: union(old.relatedModules, next.relatedModules),
    metadata: { ...old.metadata, ...next.metadata },
    graphNodes: union(old.graphNodes, next.graphNodes),
    provenanceSessionIds: union(old.provenanceSessionIds, next.provenanceSessionIds),
    trustFlags: union(old.trustFlags, next.trustFlags),
    pinned: old.pinned || next.pinned,
    ...outliving(old, next),
  };
  // One that was kept before its type was defined gets what the type stamps.
  const stamped = stampedHalfLife(next.type) === undefined ? [] : (["halfLifeDays"] as const);
  for (const field of ["data", "workUnit", "methodology", "chunk", ...stamped] as const) {
    if (old[field] === undefined && next[field] !== undefined) Object.assign(merged, { [field]: next[field] });
  }
  return merged;
}

/** The later of two expiries; one that says nothing about its own adds nothing. */
function outliving(old: MemoryRecord, next: Arriving): FieldValues {
  if (old.expiresAt === undefined || next.expiresAt === old.expiresAt) return {};
  if (next.expiresAt !== undefined) return next.expiresAt > old.expiresAt ? { expiresAt: next.expiresAt } : {};
  return next.storedAt === undefined && memoryType(next.type).expires ? {} : { expiresAt: undefined };
}

function union<T>(a: T[], b: T[]): T[] {
  return [...new Set([...a, ...b])];
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
