import { listByKeys } from "../memory/memory-queries.js";
import type { Memory } from "../memory/memory.js";
import { userProject } from "../memory/projects.js";
import type { Reader } from "../storage/storage.js";
import { queryWords } from "../base/words.js";
import type { RankedCandidate } from "./rank.js";
import type { RecallOptions, RecallResult, Weights } from "./retrieval.js";
import type { Search } from "./search.js";
import type { Staleness } from "./staleness.js";
import { round, weighed } from "./weigh.js";
import { placesOf, reasonOf } from "./why.js";

/** The best of them with their memories, in the order that was asked for. */
export async function toResults(search: Search, ranked: RankedCandidate[]): Promise<RecallResult[]> {
  const { from, options } = search;
  const { limit, minScore = 0, minConfidence = 0 } = options;
  const chosen = ranked
    .filter(({ score, confidence }) => score >= minScore && confidence >= minConfidence)
    .slice(0, limit);
  const memories = await from.store.read((reader) => loadMemories(reader, chosen, search.now));
  const stale = await lookUpStaleness(search, [...memories.values()]);
  const results = chosen.flatMap((one) => {
    const memory = memories.get(one.candidate.key);
    return memory ? [toResult(search, one, memory, stale.get(memory.id))] : [];
  });
  return results.filter(({ score }) => score >= minScore).toSorted(orders[options.sort ?? "relevance"]);
}

async function loadMemories(reader: Reader, chosen: RankedCandidate[], now: Date): Promise<Map<number, Memory>> {
  const projects = new Set(chosen.map(({ candidate }) => candidate.project));
  const memories = new Map<number, Memory>();
  for (const project of projects) {
    const keys = chosen.filter(({ candidate }) => candidate.project === project).map(({ candidate }) => candidate.key);
    for (const { key, memory } of await listByKeys(reader, project, keys, now)) memories.set(key, memory);
  }
  return memories;
}

/** What the files of the first results say about them. Loaded only where there are files to look at. */
async function lookUpStaleness({ ports }: Search, memories: Memory[]): Promise<ReadonlyMap<string, Staleness>> {
  const about = memories.filter(({ relatedFiles, project }) => relatedFiles.length > 0 && project !== userProject);
  if (!ports.fileChanges || about.length === 0) return new Map();
  const { listStaleness } = await import("./list-staleness.js");
  return listStaleness(await ports.fileChanges(), about);
}

function toResult(
  { question, options }: Search,
  one: RankedCandidate,
  memory: Memory,
  stale: Staleness | undefined,
): RecallResult {
  const { candidate, lifts, evidence, reranked } = one;
  const weights = { ...one.weights, staleness: stale?.factor ?? 1 };
  const matched = placesOf(queryWords(question).words, candidate.columns);
  return {
    memory,
    score: stale && !candidate.paths.name ? round(one.score * lossOf(one, weights)) : one.score,
    matched: [...matched.keys()],
    why: reasonOf(question, one, matched),
    ...(options.explain && {
      explanation: {
        paths: candidate.paths,
        lifts,
        weights,
        evidence,
        ...(reranked !== undefined && { reranked }),
        marks: stale?.marks ?? [],
      },
    }),
  };
}

/** What is left of a score after the weights have changed. */
function lossOf({ evidence, weights }: RankedCandidate, now: Weights): number {
  return weighed(evidence, now) / (weighed(evidence, weights) || 1);
}

const orders: Record<NonNullable<RecallOptions["sort"]>, (a: RecallResult, b: RecallResult) => number> = {
  relevance: (a, b) => b.score - a.score,
  recent: (a, b) => b.memory.createdAt.localeCompare(a.memory.createdAt),
  confidence: (a, b) => b.memory.currentConfidence - a.memory.currentConfidence,
  uses: (a, b) => b.memory.accessCount - a.memory.accessCount,
};
