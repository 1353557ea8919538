import type { RecallResult } from "../../src/index.js";

export function scoresOf(results: RecallResult[]): number[] {
  return results.map(({ score }) => score);
}
