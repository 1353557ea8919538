import type { TacitMemory } from "../../index.js";
import type { Shell } from "./shell.js";

/** Refuses what only a person decides, in a command that asks the memory nothing else. */
export async function refuseAgent(shell: Shell): Promise<void> {
  await shell.withMemory(refuseAgentBehind);
}

/** The same where the memory is open already. */
export async function refuseAgentBehind({ actor }: Pick<TacitMemory, "actor">): Promise<void> {
  if (actor.kind !== "agent") return;
  const { MemoryError } = await import("../../index.js");
  throw new MemoryError("agent-refused", "An agent may not decide this.", "A person can, in a terminal of their own.");
}
