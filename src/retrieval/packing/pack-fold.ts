import type { Memory } from "../../memory/memory.js";
import { hashOf } from "../../memory/record/record.js";
import type { RecallResult } from "../retrieval.js";

/** What packing needs of a result. */
export type ScoredMemory = Pick<RecallResult, "memory" | "score">;

/** A memory that is to be told, and those that need not be told beside it. */
export interface Fold {
  memory: Memory;
  /** They say the same, or are linked to it as similar; best first. */
  similar: Memory[];
}

/**
 * Folds results, best first, into the best one that they are similar to. Only a direct link counts: of a chain in which
 * each is similar to the next, the first and the last may say different things.
 */
export function foldSimilar(results: readonly ScoredMemory[]): Fold[] {
  const folds: Fold[] = [];
  const places = new Map<string, number>();
  // To which of the folds these ids are linked. A link is kept by one of its two memories only.
  const linkedTo = new Map<string, number>();
  const seen = new Set<string>();
  for (const { memory } of results) {
    if (seen.has(memory.id)) continue;
    seen.add(memory.id);
    const links = linksOf(memory);
    const hash = hashOf(memory.content);
    const similar = [places.get(hash), linkedTo.get(memory.id), ...links.map((id) => places.get(id))];
    const best = Math.min(...similar.filter((place) => place !== undefined));
    const better = folds[best];
    if (better) {
      better.similar.push(memory);
      continue;
    }
    const place = folds.push({ memory, similar: [] }) - 1;
    places.set(hash, place).set(memory.id, place);
    for (const id of links) linkedTo.set(id, linkedTo.get(id) ?? place);
  }
  return folds;
}

function linksOf({ relations }: Memory): string[] {
  return relations.flatMap(({ kind, memory }) => (kind === "similar" && memory !== undefined ? [memory] : []));
}
