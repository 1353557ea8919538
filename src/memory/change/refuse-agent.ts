import { callerOf } from "../../base/actor.js";
import { MemoryError } from "../../base/memory-error.js";
import { type ProjectHint, userProject } from "../../project/project.js";
import type { MemoryContext } from "./memory-context.js";

/** Refuses what only a person or their program decides: an agent cannot vouch for a memory, nor erase one for good. */
export function refuseAgent({ actor }: MemoryContext, command: string): void {
  if (callerOf(actor).kind !== "agent") return;
  throw new MemoryError(
    "agent-refused",
    "An agent may not decide this.",
    `A person can, in a terminal of their own: ${command}`,
  );
}

/** Refuses an agent that would write to the project of what is true everywhere: it is injected into every project of its user. */
export function refuseAgentInUserProject(context: MemoryContext, project: ProjectHint = context.project): void {
  if ("id" in project && project.id === userProject) refuseAgent(context, `tacit --project ${userProject} …`);
}
