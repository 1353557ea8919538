import { type FilterSql, findNameHolder } from "../../memory/read/read.js";
import type { Project } from "../../project/project.js";
import type { Reader } from "../../storage/storage.js";
import { isArchive, isTurn, loadCandidates, type Candidate } from "./candidate.js";
import type { CodeContext } from "./code-graph.js";
import { listWordMatches, type WordMatch } from "../keywords/list-word-matches.js";
import type { Path, RecallMode } from "../retrieval.js";
import { strengthOf, wordScorer } from "../keywords/score-words.js";
import type { NeighbouringTurns } from "./neighbouring-turns.js";
import type { WordStatistics } from "../keywords/word-statistics.js";

/** Where is searched: a project, with the filter as it applies there. */
export interface SearchScope {
  project: Project;
  filter: FilterSql;
}

/** Candidates by key, over all places. */
export type Candidates = Map<number, Candidate>;

// With 20, R@10 on LoCoMo is 0.4 lower; with 160 the same (2026-11).
const byWords = 40;

// What was found through a filter need not be asked again.
const anyway: FilterSql = { conditions: ["true"], args: {}, isSelective: false };

/** Memories whose name is the query, or which have words of it. */
export async function findByWords(
  reader: Reader,
  { project, filter }: SearchScope,
  query: string,
  statistics: WordStatistics,
  limit: number,
): Promise<Candidates> {
  const holder = await findNameHolder(reader, project, query.trim());
  const matches = await listWordMatches(reader, project, statistics, filter, { limit, most: Math.max(byWords, limit) });
  const candidates: Candidates = new Map();
  const matched = new Map(matches.map((match, index) => [match.key, { match, rank: index + 1 }]));
  for (const { key, facts } of await loadCandidates(reader, [...matched.keys()], anyway, { withTokens: false })) {
    const { match, rank } = matched.get(key) as { match: WordMatch; rank: number };
    const { columns, shares, share } = match;
    const paths = { words: { rank, strength: strengthOf(share) } };
    candidates.set(key, { key, project, facts, columns, shares, paths });
  }
  if (holder) {
    await addCandidates(reader, { project, filter }, candidates, [holder.key], statistics, () => ({
      name: { rank: 1, strength: 1 },
    }));
  }
  return candidates;
}

/** Memories of the active files, and of those around them. */
export async function findByCode(
  reader: Reader,
  place: SearchScope,
  candidates: Candidates,
  statistics: WordStatistics,
  code: CodeContext,
): Promise<void> {
  if (code.active.length === 0) return;
  const { listByCode } = await import("./code-graph.js");
  const listed = await listByCode(reader, place.project, place.filter, code);
  const found = new Map(listed.map(({ key, strength }, index) => [key, { rank: index + 1, strength }] as const));
  await addCandidates(reader, place, candidates, [...found.keys()], statistics, (key) => ({ code: found.get(key) }));
}

// Only around the best of them. By words alone, where a query takes a third of the time, around fewer: 20 would give R@10
// on LoCoMo 0.3 more, and take a seventh longer over 100,000 memories (2026-11).
const aroundBest = { words: 12, hybrid: 20 };

/**
 * What was said just before and after the best turns: candidates too, found by their neighbours. An archive takes no turn's
 * place among the best (R@10 on LoCoMo with archives 80.7 instead of 80.4, 2026-11).
 */
export async function findNeighbouringTurns(
  reader: Reader,
  place: SearchScope,
  candidates: Candidates,
  statistics: WordStatistics,
  mode: RecallMode,
): Promise<Map<number, NeighbouringTurns>> {
  const own = [...candidates.values()].filter(({ project }) => project === place.project);
  const archives = own.filter(({ facts }) => isArchive(facts));
  const rankIn = (path: "words" | "meaning", { paths }: Candidate) => {
    const { rank } = paths[path] ?? { rank: Infinity };
    return rank - archives.filter((archive) => (archive.paths[path]?.rank ?? Infinity) < rank).length;
  };
  const isAmongBest = (candidate: Candidate) =>
    Math.min(rankIn("words", candidate), rankIn("meaning", candidate)) <= aroundBest[mode];
  const best = own.filter((candidate) => isTurn(candidate.facts) && isAmongBest(candidate));
  if (best.length === 0) return new Map();
  const { listBeside } = await import("./neighbouring-turns.js");
  const beside = await listBeside(
    reader,
    best.map(({ key }) => key),
  );
  const unknown = [...beside.keys()].filter((key) => !candidates.has(key));
  await addCandidates(reader, place, candidates, unknown, statistics, () => ({}));
  return beside;
}

/** Adds these memories to the candidates, and how they were found. */
export async function addCandidates(
  reader: Reader,
  { project, filter }: SearchScope,
  candidates: Candidates,
  keys: number[],
  statistics: WordStatistics,
  pathsOf: (key: number) => { [path in Path]?: { rank: number; strength: number } | undefined },
): Promise<void> {
  const score = wordScorer(statistics);
  const unknown = keys.filter((key) => !candidates.has(key));
  for (const { columns = [], ...row } of await loadCandidates(reader, unknown, filter, { withTokens: true })) {
    candidates.set(row.key, { ...row, project, columns, shares: score(columns), paths: {} });
  }
  for (const key of keys) Object.assign(candidates.get(key)?.paths ?? {}, pathsOf(key));
}
