import type { TacitMemory } from "../index.js";

/**
 * What the plug-in of an agent needs of a memory. `openMemory()` gives all of it; a worker's end, which has only messages to
 * ask with, gives what it can.
 */
export type AgentMemory = Pick<TacitMemory, "observe" | "inject" | "recallReport" | "remember"> &
  Partial<
    Pick<TacitMemory, "directory" | "get" | "forget" | "conversation" | "config" | "stepLimit" | "finishSession">
  >;

/** Whether it can do these things, or is a promise of something that may. */
export function isMemory(given: unknown, verbs: readonly (keyof TacitMemory)[]): boolean {
  const known = Object(given) as Record<string, unknown>;
  return typeof known["then"] === "function" || verbs.every((verb) => typeof known[verb] === "function");
}

/** What whoever passes something else is told. */
export const noMemory = "memory must be an open memory, or a promise of one.";
