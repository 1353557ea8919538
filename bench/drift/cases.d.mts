export interface DriftMemory {
  text: string;
  files: string[];
  /** What should become of it; absent where the change does not concern it. */
  outcome?: "moved" | "doubt";
}

export interface DriftCase {
  kind: string;
  name: string;
  before: Record<string, string>;
  /** `null` takes a file away. */
  after: Record<string, string | null>;
  affected: DriftMemory[];
  unaffected: DriftMemory[];
}

export const cases: DriftCase[];
