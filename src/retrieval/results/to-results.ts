import { listByKeys } from "../../memory/read/read.js";
import type { Memory } from "../../memory/memory.js";
import { userProject } from "../../project/project.js";
import type { Reader } from "../../storage/storage.js";
import { queryWords, type QueryWord } from "../../base/text/text.js";
import type { RankedCandidate } from "../ranking/rank.js";
import type { RecallOptions, RecallResult, Weights } from "../retrieval.js";
import type { Search } from "../candidates/search.js";
import { estimateStaleness, type Staleness } from "../staleness/estimate-staleness.js";
import { round, weighed } from "../ranking/weigh.js";
import { placesOf, reasonOf } from "./result-reason.js";

/** The best of them with their memories, in the order that was asked for. */
export async function toResults(search: Search, ranked: RankedCandidate[]): Promise<RecallResult[]> {
  const { context, options, query } = search;
  const { limit, minScore = 0, minConfidence = 0, sort = "relevance" } = options;
  const fitting = ranked.filter(({ score, confidence }) => score >= minScore && confidence >= minConfidence);
  // What its files tell may put one below the next, so that those are loaded too.
  const first = fitting.slice(0, Math.max(limit, lookedUp));
  const mayMove = first.some(({ candidate }) => candidate.facts.relatedFiles.length > 0);
  const chosen = mayMove ? first : fitting.slice(0, limit);
  const memories = await context.store.read((reader) => loadMemories(reader, chosen, search));
  const stale = await lookUpStaleness(search, [...memories.values()]);
  const { words } = queryWords(query);
  const results = chosen.flatMap((one) => {
    const memory = memories.get(one.candidate.key);
    return memory
      ? [toResult(search, one, memory, words, stale.get(memory.id) ?? estimateStaleness(memory, nothingKnown))]
      : [];
  });
  return results
    .filter(({ score }) => score >= minScore)
    .toSorted(orders.relevance)
    .slice(0, limit)
    .toSorted(orders[sort]);
}

// A reader sees the first few; git is not asked about the rest.
const lookedUp = 20;
const nothingKnown = { changes: new Map<string, number>(), modifiedAt: new Map<string, Date | "gone">() };

async function loadMemories(
  reader: Reader,
  chosen: RankedCandidate[],
  { now, options }: Search,
): Promise<Map<number, Memory>> {
  const projects = new Set(chosen.map(({ candidate }) => candidate.project));
  const mayBeForgotten = options.status !== undefined;
  const memories = new Map<number, Memory>();
  for (const project of projects) {
    const keys = chosen.filter(({ candidate }) => candidate.project === project).map(({ candidate }) => candidate.key);
    for (const { key, memory } of await listByKeys(reader, project, keys, now)) {
      // While a model was asked, somebody may have forgotten it.
      if (mayBeForgotten || memory.status !== "forgotten") memories.set(key, memory);
    }
  }
  return memories;
}

/** What the files of the first results say about them. Loaded only where there are files to look at. */
async function lookUpStaleness({ ports }: Search, memories: Memory[]): Promise<ReadonlyMap<string, Staleness>> {
  const about = memories.filter(({ relatedFiles, project }) => relatedFiles.length > 0 && project !== userProject);
  if (!ports.fileChanges || about.length === 0) return new Map();
  const { listStaleness } = await import("../staleness/list-staleness.js");
  return listStaleness(await ports.fileChanges(), about.slice(0, lookedUp));
}

function toResult(
  { query, options }: Search,
  one: RankedCandidate,
  memory: Memory,
  words: QueryWord[],
  stale: Staleness,
): RecallResult {
  const { candidate, lifts, evidence, reranked } = one;
  const weights = { ...one.weights, staleness: stale.factor };
  const matched = placesOf(words, candidate.columns);
  return {
    memory,
    score: stale.factor < 1 && !candidate.paths.name ? round(one.score * lossOf(one, weights)) : one.score,
    matched: [...matched.keys()],
    why: reasonOf(query, one, matched),
    ...(options.explain && {
      explanation: {
        paths: candidate.paths,
        lifts,
        weights,
        evidence,
        ...(reranked !== undefined && { reranked }),
        marks: stale.marks,
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
