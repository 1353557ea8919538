import { isUnverified } from "../record/trust.js";
import { list } from "../read/list.js";
import type { Memory } from "../memory.js";
import type { ProjectContext } from "../../project/project.js";

/** What a person has to look at before agents are told of it, newest first. */
export interface PendingReview {
  /** Inferred, or from an untrusted source: it is recalled by nobody before it is accepted. */
  waiting: Memory[];
  /** What agents stated while no hooks watched them: it answers a query, and is injected only once it is verified. */
  unverified: Memory[];
}

export async function pendingReview(context: ProjectContext): Promise<PendingReview> {
  const waiting = await list(context, { status: "waiting" });
  const stated = await list(context, { sources: ["agent_explicit"] });
  return { waiting, unverified: stated.filter(isUnverified) };
}
