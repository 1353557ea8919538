import type { QueryWord } from "../base/words.js";
import type { FilterSql } from "../memory/memory-filter.js";
import { keyRange } from "../memory/memory-queries.js";
import type { Project } from "../memory/projects.js";
import type { Reader } from "../storage/storage.js";
import { columnWeights, shareOfWeight, weightOf } from "./score-words.js";
import { readStatistics, type WeighedWord, type WordStatistics } from "./word-statistics.js";

// Below this a project is searched for all words at once; selecting costs more than it saves (2,000 rows: 4.3 against
// 3.5 ms, 10,000 rows: faster; 2026-11).
const smallProject = 5000;
// The rarest words that together occur in so many of the rows are looked up, first few, then more; the others only add
// to what those find. Over 100,000 memories, 380 questions, against all words at once: 4.3 instead of 17 ms (p50), no
// recall lost, and all words needed after all for 3 of them (2026-11).
const rareShares = [0.03, 0.08];
// What common words could add to a memory without any rare one, in units of their weight. The proven bound of BM25
// sends 30 % of questions to the slow path; 1.3 sends 4 %, and changed no result.
const headroom = 1.3;
// Candidates that are scored with all words: with 50 the ten best differed for 29 of 380 questions, with 80 for 9, and
// their recall in neither case.
const fewestCandidates = 80;
// A question of 1,000 words takes 18 ms and one of 20,000 almost a second; the rarest say what it is about.
const mostWords = 64;

/** A memory that holds words of the question. */
export interface WordMatch {
  key: number;
  /** How much of the question's weight it carries; see score-words.ts. */
  share: number;
  /** The tokens of its content, name, tags and files. */
  columns: string[];
}

/** Memories of the project that hold words of the question, best first. */
export async function listWordMatches(
  reader: Reader,
  project: Project,
  words: QueryWord[],
  filter: FilterSql,
  limit: number,
): Promise<WordMatch[]> {
  const statistics = await readStatistics(reader, words);
  const known = statistics.words
    .filter(({ rows }) => rows > 0)
    .toSorted((a, b) => a.rows - b.rows)
    .slice(0, Number.isFinite(limit) ? mostWords : undefined);
  if (known.length === 0) return [];
  const search: Search = { reader, project, filter, limit, statistics };
  return (await findByRareWords(search, known)) ?? (await find(search, anyOf(known)));
}

interface Search {
  reader: Reader;
  project: Project;
  filter: FilterSql;
  limit: number;
  statistics: WordStatistics;
}

/**
 * The best of those that hold a rare word. Undefined when a memory with common words only might belong among them, or
 * when there is nothing to gain.
 */
async function findByRareWords(search: Search, known: WeighedWord[]): Promise<WordMatch[] | undefined> {
  const { limit, statistics } = search;
  if (!Number.isFinite(limit) || (await isSmall(search))) return undefined;
  const counts = new Set(rareShares.map((share) => countRare(known, share * statistics.rows)));
  for (const count of counts) {
    const [rare, common] = [known.slice(0, count), known.slice(count)];
    if (common.length === 0) return undefined;
    // Only rows with a rare word are visited, where a plain OR would walk through every row that holds a common one.
    const found = await find(search, `(${anyOf(rare)}) AND (${anyOf(known)})`);
    const worst = found[limit - 1]?.share ?? 0;
    const possible = (headroom * weightOf(common)) / weightOf(statistics.words);
    if (possible <= worst) return found;
  }
  return undefined;
}

/** How many of the words, rarest first, occur in no more rows than this together; one at least. */
function countRare(known: WeighedWord[], rows: number): number {
  let sum = 0;
  const tooMany = known.findIndex((word, index) => (sum += word.rows) > rows && index > 0);
  return tooMany === -1 ? known.length : tooMany;
}

/** The highest key tells at most how many memories the project has, without counting them. */
async function isSmall({ reader, project }: Search): Promise<boolean> {
  const { first, last } = keyRange(project);
  const [row] = await reader.rows("SELECT max(key) AS key FROM memories WHERE key BETWEEN :first AND :last", {
    first,
    last,
  });
  return Number(row?.["key"] ?? first) - Number(first) < smallProject;
}

/**
 * Asks the index for candidates and scores them. Checking a filter row by row takes longer than the search, so that
 * the usual one, which nearly every memory passes, is checked on candidates only, and on all rows when too few are left.
 */
async function find(search: Search, match: string): Promise<WordMatch[]> {
  const { filter, limit } = search;
  const most = Math.max(fewestCandidates, 3 * limit);
  if (!Number.isFinite(limit) || filter.isSelective)
    return best(search, await ask(search, match, "filter first", most));
  const candidates = await ask(search, match, "filter last", most);
  const fitting = candidates.filter(({ fits }) => fits);
  const tooFew = fitting.length < limit && candidates.length === most;
  return best(search, tooFew ? await ask(search, match, "filter first", most) : fitting);
}

function best({ statistics, limit }: Search, candidates: Candidate[]): WordMatch[] {
  return candidates
    .map(({ key, columns }) => ({ key, columns, share: shareOfWeight(columns, statistics) }))
    .toSorted((a, b) => b.share - a.share || b.key - a.key)
    .slice(0, limit);
}

interface Candidate {
  key: number;
  columns: string[];
  fits: boolean;
}

async function ask(
  { reader, project, filter }: Search,
  match: string,
  order: "filter first" | "filter last",
  most: number,
): Promise<Candidate[]> {
  const conditions = filter.conditions.join(" AND ");
  // bm25() spelled out, since ORDER BY rank measured a third slower.
  const rank = `bm25(memory_words, ${columnWeights.join(", ")}) AS rank`;
  const candidates =
    order === "filter first"
      ? `SELECT memory_words.rowid AS key, ${rank}
         FROM memory_words CROSS JOIN memories AS m ON m.key = memory_words.rowid
         WHERE memory_words MATCH :match AND memory_words.rowid BETWEEN :first AND :last AND ${conditions}`
      : `SELECT rowid AS key, ${rank} FROM memory_words
         WHERE memory_words MATCH :match AND rowid BETWEEN :first AND :last`;
  // The tokens in one column: the driver takes longer for a column than SQLite for joining them. Not by concat_ws(),
  // which leaves out empty ones.
  const rows = await reader.rows(
    `SELECT c.key, w.content || char(10) || w.name || char(10) || w.tags || char(10) || w.files AS tokens, (${conditions}) AS fits
     FROM (${candidates} ORDER BY rank, key DESC LIMIT :most) AS c
     CROSS JOIN memories AS m ON m.key = c.key
     CROSS JOIN memory_words AS w ON w.rowid = c.key`,
    { ...filter.args, ...keyRange(project), match, most: Number.isFinite(most) ? most : -1 },
  );
  return rows.map((row) => ({
    key: Number(row["key"]),
    columns: String(row["tokens"]).split("\n"),
    fits: row["fits"] === 1,
  }));
}

/** Every token is quoted, so that nothing in a question is taken for an operator. */
function anyOf(words: WeighedWord[]): string {
  return words.map(({ token, prefix }) => `"${token}"${prefix ? " *" : ""}`).join(" OR ");
}
