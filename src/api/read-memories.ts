import type { Memory } from "../memory/memory.js";
import { list, lookUp, type ListQuery } from "../memory/read/read.js";
import { recallWithVectors } from "../retrieval/recall-with-vectors.js";
import type { RecallOptions, RecallReport } from "../retrieval/retrieval.js";
import type { Parts } from "./parts.js";

// A list of everything that matched is not a use of everything; the first ones are what a reader sees.
const countedResults = 10;

/** What a reader asks. */
type ReadParts = Pick<Parts, "context" | "models" | "accesses" | "recalls" | "catchUp">;

/** Recalls, and counts what was found as used. */
export async function reportRecall(parts: ReadParts, question: string, options?: RecallOptions): Promise<RecallReport> {
  const { context, models, accesses, recalls } = parts;
  await parts.catchUp();
  const report = await recallWithVectors(context, models.ports, models.embedding, question, options);
  accesses.count(report.results.slice(0, countedResults).map(({ memory }) => memory.id));
  if (options?.explicit !== false) recalls.count(report);
  return report;
}

/** Looks a memory up, and counts it as used. */
export async function readMemory(
  parts: ReadParts,
  reference: string,
  options?: { forgotten?: boolean },
): Promise<Memory | undefined> {
  await parts.catchUp();
  const found = await lookUp(parts.context, reference, options);
  if (found) parts.accesses.count([found.id]);
  return found;
}

export async function listMemories(parts: ReadParts, query: ListQuery = {}): Promise<Memory[]> {
  await parts.catchUp();
  return list(parts.context, query);
}
