import { type EmbeddedQuery, type Nearest, readVector, similarities } from "../../embedding/vectors/vectors.js";
import type { Reader } from "../../storage/storage.js";
import { isArchive } from "../candidates/candidate.js";
import type { Evidence } from "../ranking/evidence.js";
import { addCandidates, type Candidates, type SearchScope } from "../candidates/find-candidates.js";
import type { WordStatistics } from "../keywords/word-statistics.js";

// 20 to 100 are all the same on LoCoMo and on Cranfield (2026-11).
const byMeaning = 30;
// Without a limit everything that has a word of the query comes, and what means something like it.
const byMeaningAtMost = 100;

// Of two texts that have nothing to do with each other, MiniLM's cosine is seldom above this; of a query and a memory that
// answers it without sharing a word, it is 0.26 on average, and now and then no more than 0.15.
const unrelated = 0.15;

/** Memories that mean something like the query. */
export async function findByVector(
  reader: Reader,
  place: SearchScope,
  candidates: Candidates,
  statistics: WordStatistics,
  limit: number,
  listNearest: (most: number) => Promise<Nearest[]>,
): Promise<void> {
  const most = Number.isFinite(limit) ? Math.max(byMeaning, limit) : byMeaningAtMost;
  const nearest = (await listNearest(most)).filter(({ similarity }) => similarity >= unrelated);
  const found = new Map(
    nearest.map(({ key, similarity }, index) => [key, { rank: index + 1, strength: similarity }] as const),
  );
  await addCandidates(reader, place, candidates, [...found.keys()], statistics, (key) => ({ meaning: found.get(key) }));
}

/** Gives each candidate the cosine of its meaning and the query's. */
export async function compareVectors(reader: Reader, candidates: Candidates, embedded: EmbeddedQuery): Promise<void> {
  // The nearest were compared when they were found.
  for (const candidate of candidates.values()) {
    if (candidate.paths.meaning) candidate.similarity = candidate.paths.meaning.strength;
  }
  const others = [...candidates.values()].filter(({ paths }) => !paths.meaning).map(({ key }) => key);
  for (const [key, similarity] of await similarities(reader, others, embedded)) {
    const candidate = candidates.get(key);
    if (candidate) candidate.similarity = similarity;
  }
}

// How far the query moves. 0.2: nDCG@10 on Cranfield 0.422 instead of 0.413 (0.427 at 0.6), R@10 on LoCoMo 80.2 instead
// of 79.4, and 79.6 at 0.3 (2026-11).
const towards = 0.2;

/**
 * Moves the query's meaning a little towards its best answer: what means the same as that is likely to answer too. False
 * when there is nothing to move towards.
 */
export async function refineSimilarity(
  reader: Reader,
  candidates: Candidates,
  gathered: Evidence[],
  { vector, model }: EmbeddedQuery,
): Promise<boolean> {
  // An archive means many things at once, of which the query asks for one.
  const single = gathered.filter(({ candidate }) => !isArchive(candidate.facts));
  const [best] = single.toSorted((a, b) => b.evidence - a.evidence);
  if (best?.candidate.similarity === undefined) return false;
  const answer = await readVector(reader, best.candidate.key, model);
  if (!answer) return false;
  const moved = vector.map((value, index) => value + towards * (answer[index] ?? 0));
  const near = await similarities(reader, [...candidates.keys()], { vector: moved, model });
  for (const [key, similarity] of near) {
    const candidate = candidates.get(key);
    if (candidate) candidate.refined = similarity;
  }
  return true;
}
