import { shortId } from "../../base/ids/ids.js";
import type { MemoryRecord, TrustFlag } from "../memory.js";
import { conceptOfName } from "../prepare/concept-nodes.js";
import { namesOf, type PreparedMemory } from "../prepare/prepare-memory.js";

/** A memory for which nobody can vouch: it answers whoever asks, and only a person changes that, or somebody who is trusted. */
export function asUnverified(memory: PreparedMemory, reason: string): PreparedMemory {
  const trustFlags = [...new Set<TrustFlag>([...memory.trustFlags, "unverified"])].toSorted();
  return { ...memory, trustFlags, review: { state: "pending", reason } };
}

// From the seed of the product.
const confidenceInDoubt = 0.7;

/**
 * A memory that comes from outside the project: it counts less, says so, and waits for a person. It gets no name: whoever
 * asks for a name wants what is true, and would be given what nobody has looked at.
 */
export function asTainted(memory: PreparedMemory, reason: string): PreparedMemory {
  const names = namesOf(memory).map((name) => JSON.stringify(name));
  const replaced = memory.relations.flatMap(({ kind, memory: id }) => (kind === "supersedes" && id ? shortId(id) : []));
  const remarks = [
    reason,
    ...(names.length > 0 ? [`It was to be called ${names.join(", ")}, and is not.`] : []),
    ...(replaced.length > 0 ? [`Once accepted, it takes the place of ${replaced.join(", ")}.`] : []),
  ];
  return { ...onConcept(memory), ...taintedFields(memory, remarks.join(" ")), name: null, aliases: [] };
}

/** A memory that loses its name stays with the pattern or the decision that it is about. */
export function onConcept(memory: PreparedMemory): PreparedMemory {
  const node = conceptOfName(memory.type, memory.name);
  return node === undefined ? memory : { ...memory, graphNodes: [...new Set([...memory.graphNodes, node])] };
}

/** The fields that change when it turns out that a memory comes from outside. */
export function taintedFields(
  { confidence, trustFlags }: Pick<MemoryRecord, "confidence" | "trustFlags">,
  reason: string,
): { confidence: number; trustFlags: TrustFlag[]; review: { state: "pending"; reason: string } } {
  return {
    confidence: Math.round(confidence * confidenceInDoubt * 1e6) / 1e6,
    trustFlags: [...new Set<TrustFlag>([...trustFlags, "tainted"])].toSorted(),
    review: { state: "pending", reason },
  };
}

/** The fields that change when a memory that came from outside may be trusted after all, and why. */
export function releasedFields(
  { confidence, trustFlags }: Pick<MemoryRecord, "confidence" | "trustFlags">,
  reason: string,
): { confidence: number; trustFlags: TrustFlag[]; review: { state: "none"; reason: string } } {
  return {
    confidence: Math.min(1, Math.round((confidence / confidenceInDoubt) * 1e6) / 1e6),
    trustFlags: trustFlags.filter((flag) => flag !== "tainted"),
    review: { state: "none", reason },
  };
}
