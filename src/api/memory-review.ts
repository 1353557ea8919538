import { verifyStale, type StaleReport, type VerifyStaleOptions } from "../code-memory/drift/verify-stale.js";
import { refuseAgent } from "../memory/change/change.js";
import type { PendingReview } from "../memory/edit/edit.js";
import type { Memory, ReviewedMemory } from "../memory/memory.js";
import type { Evidence } from "../observer/review/review.js";
import type { Parts } from "./parts.js";

/** What waits for a person. */
export interface MemoryReview {
  /** What a person has to accept, and what agents stated unwatched and nobody has verified. */
  pending(): Promise<PendingReview>;
  /** Approves a memory that was pending, as it is or with another text. What it contradicts gives way. Not for agents. */
  accept(reference: string, changes?: { content?: string }): Promise<ReviewedMemory>;
  /** Refuses a memory that was pending. It is forgotten, and only new evidence can bring it back; with `forever` nothing can. Not for agents. */
  reject(reference: string, options?: { forever?: boolean }): Promise<Memory>;
  /** What was seen that led to a memory; empty for one that somebody stated. */
  evidence(reference: string): Promise<Evidence[]>;
  /**
   * Compares every memory with the code as it is now, and lists those that name something that moved, or that may no longer
   * be right. By itself after every indexing; `recheck: false` only reads what is known.
   */
  stale(options?: VerifyStaleOptions): Promise<StaleReport>;
}

/** @internal */
export function bindReview(parts: Parts): MemoryReview {
  const { context, grounding } = parts;
  const reviewing = () => import("../observer/review/review.js");
  return {
    pending: async () => {
      await parts.catchUp();
      // Whoever asks what waits is told what still does.
      const { releaseHeld } = await import("../observer/promotion/promotion.js");
      await releaseHeld(context, parts.folder.root, parts.watched.mayHaveMerged).catch(() => 0);
      return (await import("../memory/edit/edit.js")).pendingReview(context);
    },
    accept: async (reference, changes) => {
      refuseAgent(context, `tacit review accept ${reference}`);
      return (
        (await parts.sharing.approve(context, reference, changes)) ??
        (await reviewing()).acceptMemory(context, reference, changes)
      );
    },
    reject: async (...args) => {
      refuseAgent(context, `tacit review reject ${args[0]}`);
      return parts.sharing.refusing(context, args[0], async () => (await reviewing()).rejectMemory(context, ...args));
    },
    evidence: async (reference) => (await reviewing()).listMemoryEvidence(context, reference),
    stale: async (options) => {
      await grounding.settled();
      return verifyStale(context, parts.here, parts.code, options);
    },
  };
}
