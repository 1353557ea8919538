import type { QuotedMemory } from "./quote.js";

/** Every type that Tacit knows. Written out for the reason told in schemas.ts; a test compares. */
export const memoryTypeNames = [
  "gotcha",
  "decision",
  "preference",
  "pattern",
  "requirement",
  "error_pattern",
  "module_insight",
  "prefetch_pattern",
  "work_state",
  "causal_dependency",
  "task_calibration",
  "e2e_observation",
  "dead_end",
  "work_unit_outcome",
  "workflow_recipe",
  "context_cost",
  "convention",
  "context",
  "fact",
  "conversation",
  "note",
  "archive",
];

/** A memory outside the quoted block: nothing that anybody wrote. */
export interface MemoryHeader {
  id: string;
  type: string;
  score?: number;
  confidence: number;
  createdAt: string;
}

export function memoryHeader({ memory, score }: QuotedMemory): MemoryHeader {
  return {
    id: memory.id,
    type: knownType(memory.type),
    ...(score !== undefined && { score: rounded(score) }),
    confidence: rounded(memory.currentConfidence),
    createdAt: memory.createdAt,
  };
}

/** A type that somebody made up is text like any other, and is treated as a note anyway. */
export function knownType(type: string): string {
  return memoryTypeNames.includes(type) ? type : "note";
}

export function rounded(share: number): number {
  return Number(share.toFixed(3));
}
