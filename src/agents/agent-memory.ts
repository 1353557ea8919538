import type { Caller, MemoryBuilds, MemoryProjects, TacitMemory } from "../index.js";

/**
 * What the plug-in of an agent needs of a memory. `openMemory()` gives all of it; a worker's end, which has only messages to
 * ask with, gives what it can.
 */
export type AgentMemory = Pick<TacitMemory, "observe" | "inject" | "recallReport" | "remember"> &
  Partial<Pick<TacitMemory, "directory" | "get" | "forget" | "conversation" | "finishSession">> & {
    /** Who asks decides how far it is trusted. */
    as: (actor: Caller) => AgentMemory;
    projects?: Pick<MemoryProjects, "config">;
    builds?: Pick<MemoryBuilds, "stepLimit">;
  };

/** The memory as the agent itself asks it. */
export function asAgent(
  memory: AgentMemory,
  { sessionId, agent }: { sessionId?: string; agent?: string },
): AgentMemory {
  const caller = {
    kind: "agent",
    ...(sessionId !== undefined && { sessionId }),
    ...(agent !== undefined && { name: agent }),
  } as const;
  return memory.as(caller);
}

/** Whether it can do these things, or is a promise of something that may. */
export function isMemory(given: unknown, verbs: readonly (keyof TacitMemory)[]): boolean {
  const known = Object(given) as Record<string, unknown>;
  return typeof known["then"] === "function" || verbs.every((verb) => typeof known[verb] === "function");
}

/** What whoever passes something else is told. */
export const noMemory = "memory must be an open memory, or a promise of one.";
