import type { ProjectContext } from "../../project/project.js";
import { wasMergeAsked, type HeldMemory } from "../cross-session/commit-queries.js";
import type { Merger } from "./merged-work.js";

/** Whether agents were at work between two moments. Unknown as long as one that began before goes on, or was not learned from. */
export type AgentsAtWork = (span: { from: Date; until: Date }) => Promise<boolean | "unknown">;

// A call of an agent that is under way, and clocks that differ: here, and at the forge.
const slackMs = 120_000;

/**
 * Whether a forge merged work of the one who works here because a person pressed its button: no agent of theirs was at work at
 * that moment, and none had asked for a merge since the work was begun, which a forge also does later. That goes by what
 * this store knows of agents.
 */
export async function isPressedByPerson(
  { store, now }: ProjectContext,
  { at }: Merger,
  { startedAt }: Pick<HeldMemory, "startedAt">,
  wasAnyAtWork: AgentsAtWork,
): Promise<boolean | "unknown"> {
  if (!Number.isFinite(at) || at < Date.parse(startedAt)) return false;
  // Nobody knows yet who will have been at work by then.
  if (at > now().getTime()) return "unknown";
  const [from, until] = [new Date(at - slackMs), new Date(at + slackMs)];
  const wasAtWork = await wasAnyAtWork({ from, until });
  if (wasAtWork !== false) return wasAtWork === true ? false : "unknown";
  const asked = { since: startedAt, until: until.toISOString() };
  return !(await store.read((reader) => wasMergeAsked(reader, asked)));
}
