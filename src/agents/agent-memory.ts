import type { TacitMemory } from "../index.js";

/**
 * What the plug-in of an agent needs of a memory. `openMemory()` gives all of it; a worker's end, which has only messages to
 * ask with, gives what it can.
 */
export type AgentMemory = Pick<TacitMemory, "observe" | "inject" | "recallReport" | "remember"> &
  Partial<Pick<TacitMemory, "get" | "forget" | "conversation" | "config" | "stepLimit" | "finishSession">>;
