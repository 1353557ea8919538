import type { Shell } from "./shell.js";

/** Refuses what only a person decides, in a command that asks the memory nothing else. */
export async function refuseAgent(shell: Shell): Promise<void> {
  const { MemoryError } = await import("../../index.js");
  const { kind } = await shell.withMemory(async (memory) => memory.actor);
  if (kind !== "agent") return;
  throw new MemoryError("agent-refused", "An agent may not decide this.", "A person can, in a terminal of their own.");
}
