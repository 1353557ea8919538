import type { TacitMemory } from "../../src/index.js";
import type { DriftCase, DriftMemory } from "./cases.mjs";

export interface JudgedMemory extends DriftMemory {
  kind: string;
  name: string;
  id: string;
  found?: "moved" | "doubt";
  reasons: string[];
}

export interface DriftCounts {
  affected: number;
  flagged: number;
  asRight: number;
  unaffected: number;
  wrongly: number;
}

export function measureDrift(
  memory: TacitMemory,
  root: string,
  cases: DriftCase[],
): Promise<{ memories: JudgedMemory[]; early: number; indexedMs: number }>;
export function writeFiles(root: string, files: Record<string, string | null>): void;
export function countByKind(memories: JudgedMemory[]): Map<string, DriftCounts>;
