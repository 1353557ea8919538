import type { FilterSql } from "../memory/memory-filter.js";
import { keyRange } from "../memory/memory-queries.js";
import type { Project } from "../memory/projects.js";
import type { Reader } from "../storage/storage.js";
import { sumOf, weightOf, wordScorer, type WordShares } from "./score-words.js";
import type { WeighedWord, WordStatistics } from "./word-statistics.js";

// Below this a project is searched for all words at once; selecting costs more than it saves (2026-11).
const smallProject = 5000;

// The rarest words that together occur in so many of the rows are looked up first; the others only add to what those
// find. 0.05: of the exact ten best of 254 questions over 100,000 memories, 97 % were found, with 0.03 93 %, with 0.02 89 %.
const rareShare = 0.05;

// What common words could add to a memory without any rare one, in units of their weight. The proven bound of BM25
// sends 30 % of questions to the slow path; 1.3 sends 4 %, and changed no result.
const headroom = 1.3;

// Candidates whose texts are read and scored, by the weight of the words they hold; more only where a filter takes too
// many of them away.
const fewestScored = 150;

// A question of 1,000 words takes 18 ms and one of 20,000 almost a second; the rarest say what it is about.
const mostWords = 64;

/** A memory that holds words of the question. */
export interface WordMatch {
  key: number;
  /** How much of the question's weight it carries, all words together. */
  share: number;
  shares: WordShares;
  /** The tokens of its content, name, tags and files. */
  columns: string[];
}

/**
 * Memories of the project that hold words of the question, best first: `most` of them, of which the first `limit` are
 * sure to be the best.
 *
 * FTS5 only tells which rows hold a word, which takes a tenth of the time of its bm25(): to that, too, a word in more
 * than half of a small store counts nothing. The best by the weight of their words are then scored in full.
 */
export async function listWordMatches(
  reader: Reader,
  project: Project,
  statistics: WordStatistics,
  filter: FilterSql,
  { limit, most }: { limit: number; most: number },
): Promise<WordMatch[]> {
  const known = statistics.words
    .filter(({ rows }) => rows > 0)
    .toSorted((a, b) => a.rows - b.rows)
    .slice(0, Number.isFinite(limit) ? mostWords : undefined);
  if (known.length === 0) return [];
  const search: Search = { reader, project, filter, limit, most, statistics };
  return (await findByRareWords(search, known)) ?? (await find(search, known, known.length));
}

interface Search {
  reader: Reader;
  project: Project;
  filter: FilterSql;
  limit: number;
  most: number;
  statistics: WordStatistics;
}

/**
 * The best of those that hold a rare word. Undefined when a memory with common words only might belong among them, or
 * when there is nothing to gain.
 */
async function findByRareWords(search: Search, known: WeighedWord[]): Promise<WordMatch[] | undefined> {
  const { limit, statistics } = search;
  if (!Number.isFinite(limit) || (await isSmall(search))) return undefined;
  const count = countRare(known, rareShare * statistics.rows);
  if (count === known.length) return undefined;
  const found = await find(search, known, count);
  const worst = found[limit - 1]?.share ?? 0;
  const possible = (headroom * weightOf(known.slice(count))) / weightOf(statistics.words);
  return possible <= worst ? found : undefined;
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

/** The best of the rows that hold one of the first `count` words. */
async function find(search: Search, known: WeighedWord[], count: number): Promise<WordMatch[]> {
  const { limit, most } = search;
  const ranked = rankByWeight(known, await readRows(search, known, count));
  const matches: WordMatch[] = [];
  for (let begin = 0, size = Math.max(fewestScored, most); begin < ranked.length; size *= 4) {
    const page = ranked.slice(begin, begin + size);
    matches.push(...(await scoreRows(search, page)));
    begin += page.length;
    if (matches.length >= limit) break;
  }
  return matches.toSorted((a, b) => b.share - a.share || b.key - a.key).slice(0, most);
}

// SQLite takes 500 parts of a UNION at most.
const wordsAtOnce = 100;

/** For each word the rows that hold it, counted from the project's first, among those that hold one of the rare ones. */
async function readRows({ reader, project }: Search, known: WeighedWord[], count: number): Promise<number[][]> {
  const rare = known.slice(0, count).map(quoted).join(" OR ");
  const matches = known.map((word, index) => (index < count ? quoted(word) : `(${rare}) AND ${quoted(word)}`));
  const rowsOf: number[][] = [];
  // Many words in one statement: a server may be far away.
  for (let begin = 0; begin < matches.length; begin += wordsAtOnce) {
    const page = matches.slice(begin, begin + wordsAtOnce);
    const statements = page.map(
      (_, index) =>
        `SELECT group_concat(rowid - :first) AS rows FROM memory_words
         WHERE memory_words MATCH :word${index} AND rowid BETWEEN :first AND :last`,
    );
    const args = Object.fromEntries(page.map((match, index) => [`word${index}`, match]));
    const found = await reader.rows(statements.join(" UNION ALL "), { ...keyRange(project), ...args });
    rowsOf.push(...found.map(({ rows }) => (rows === null ? [] : String(rows).split(",").map(Number))));
  }
  return rowsOf;
}

/** Every token is quoted, so that nothing in a question is taken for an operator. */
function quoted({ token, prefix }: WeighedWord): string {
  return `"${token}"${prefix ? " *" : ""}`;
}

/** Rows by the weight of the words they hold; among equals the newest first. */
function rankByWeight(known: WeighedWord[], rowsOf: number[][]): number[] {
  const weights = new Map<number, number>();
  known.forEach(({ weight }, index) => {
    for (const row of rowsOf[index] ?? []) weights.set(row, (weights.get(row) ?? 0) + weight);
  });
  return [...weights].toSorted(([a, weightA], [b, weightB]) => weightB - weightA || b - a).map(([row]) => row);
}

async function scoreRows(
  { reader, project, filter, statistics }: Search,
  rows: readonly number[],
): Promise<WordMatch[]> {
  const first = Number(keyRange(project).first);
  const score = wordScorer(statistics);
  // The tokens in one column: the driver takes longer for a column than SQLite for joining them. Not by concat_ws(),
  // which leaves out empty ones. From the table behind the index, which is a third faster than through it.
  const found = await reader.rows(
    `SELECT m.key, w.c0 || char(10) || w.c1 || char(10) || w.c2 || char(10) || w.c3 AS tokens
     FROM json_each(:keys) AS k
     CROSS JOIN memories AS m ON m.key = k.value
     CROSS JOIN memory_words_content AS w ON w.id = m.key
     WHERE ${filter.conditions.join(" AND ")}`,
    { ...filter.args, keys: JSON.stringify(rows.map((row) => row + first)) },
  );
  return found.map((row) => {
    const columns = String(row["tokens"]).split("\n");
    const shares = score(columns);
    return { key: Number(row["key"]), columns, shares, share: sumOf(shares) };
  });
}
