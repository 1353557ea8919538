import type { DamagedMemoryText } from "../memory/damage/damage.js";

/** What one look at the store or its surroundings found. */
export interface Check {
  name: string;
  status: "ok" | "warning" | "broken";
  message: string;
  hint?: string;
  /** The texts that are not as they were written. */
  damaged?: DamagedMemoryText[];
}

/** What all of them found. */
export interface Diagnosis {
  /** False when something is broken; a warning is not. */
  ok: boolean;
  checks: Check[];
}
