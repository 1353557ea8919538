import type { Memory, WorkUnit } from "../../memory/memory.js";
import type { ProjectContext } from "../../project/project.js";
import { relativeTo } from "../../memory/read/read.js";
import { unitKey } from "../../observer/scratchpad/scratchpad.js";
import { isReadByAgent } from "./read-by-agent.js";

/** Who would be told, where they work, and how sure it has to be. */
export interface Recipient {
  minConfidence: number;
  /** What was kept for one session only is told in that one; where this is absent, to nobody. */
  sessionId?: string | undefined;
  /** What is checked out: where work stands on another branch is not told. */
  branch?: string | undefined;
  /** The piece of work: what was kept for another one is not told. */
  workUnit?: WorkUnit | undefined;
  /** Also what nobody has verified: for whoever asks. */
  includeUnverified?: boolean | undefined;
  /** Files that they read by themselves, relative to the root: what those say is not told. */
  reads?: readonly string[] | undefined;
}

/** Whoever works in this folder, in a session or in none. */
export async function recipientIn(
  context: ProjectContext,
  { minConfidence, includeUnverified }: Pick<Recipient, "minConfidence" | "includeUnverified">,
  { sessionId, workUnit, reads = [] }: Pick<Recipient, "sessionId" | "workUnit" | "reads">,
): Promise<Recipient> {
  const { branch, root } = await context.folder();
  const own = reads.map((file) => relativeTo(root, file));
  return { minConfidence, includeUnverified, sessionId, workUnit, branch, reads: own };
}

/**
 * Whether a memory may be told to somebody: in force, sure enough, kept for this session, branch and piece of work, not from
 * outside, nothing that a person still has to look at, and nothing that a file says which they read anyway. Every point and
 * every context asks this, whatever its query has left out before; `eligibleConditions` says the same in SQL.
 */
export function isEligible(memory: Memory, listener: Recipient): boolean {
  if (memory.status !== "active" || memory.currentConfidence < listener.minConfidence) return false;
  return isTrusted(memory, listener) && isKeptFor(memory, listener) && !isReadByAgent(memory, listener.reads);
}

function isTrusted({ trustFlags, userVerified, review }: Memory, { includeUnverified = false }: Recipient): boolean {
  if (userVerified) return true;
  if (trustFlags.includes("tainted")) return false;
  return includeUnverified || (review.state === "none" && !trustFlags.includes("unverified"));
}

function isKeptFor(memory: Memory, { sessionId, branch, workUnit }: Recipient): boolean {
  const isOfSession = memory.sessionId !== undefined && memory.sessionId === sessionId;
  if (memory.scope === "session") return isOfSession;
  if (workUnit && memory.workUnit && unitKey(memory.workUnit) === unitKey(workUnit)) return true;
  // Of whichever unit: who takes up a branch is told where the work on it stands.
  if (memory.type === "work_state") return memory.branch === undefined || memory.branch === branch;
  return memory.scope !== "work_unit" || isOfSession;
}
