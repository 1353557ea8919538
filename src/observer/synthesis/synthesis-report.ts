import type { Memory } from "../../memory/memory.js";

/** What came of looking over many sessions. */
export interface SynthesisReport {
  /** Modules, or pairs of them, that were due and were looked at. */
  looked: { module: string; occasion: string; memories: number }[];
  /** What it led to; all of it waits for a person. */
  waiting: Memory[];
}
