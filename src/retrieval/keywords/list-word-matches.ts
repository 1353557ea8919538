import { type FilterSql, keyRange } from "../../memory/read/read.js";
import type { Project } from "../../project/project.js";
import type { Reader } from "../../storage/storage.js";
import { sumOf, wordScorer, type WordShares } from "./score-words.js";
import type { WeighedWord, WordStatistics } from "./word-statistics.js";

// A store below this is searched for all words at once; selecting costs more than it saves (2026-11).
const smallStore = 5000;

// The rarest words that together occur in so many of the rows are looked up first; the others only add to what those
// find. R@10 of 380 questions over 100,000 memories is 46.2 with 0.03, 46.4 with 0.05 and where all words are looked up
// whenever a memory without a rare one might belong among the best, which takes a quarter longer (2026-11).
const rareShare = 0.03;

// Candidates whose texts are read and scored, by the weight of the words they hold; more only where a filter takes too
// many of them away. R@10 over 100,000 memories: 43.2 with 60, 42.8 with 100, 42.0 with 400. That a memory has the word at
// all says more than how often (2026-11).
const fewestScored = 80;

// Archives beside them: one holds words of many turns, and would take the places of turns that answer. R@10 over 20,000
// turns is about 70 without archives, 69 with ten of them beside, and 67 where they are among the 80 (2026-11).
const archiveShare = 1 / 8;

// A server sends no more than 10 MB at once (sqld), and Node has a longest string.
const maxAtOnce = 1000;

/** A memory that holds words of the query. */
export interface WordMatch {
  key: number;
  /** How much of the query's weight it carries, all words together. */
  share: number;
  shares: WordShares;
  /** The tokens of its content, name, tags and files. */
  columns: string[];
  /** It sums up others, and takes no place of them. */
  isArchive: boolean;
}

/**
 * Memories of the project that hold words of the query, best first: `most` of them, and more words are looked up where
 * fewer than `limit` are found.
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
  const known = statistics.words.filter(({ rows }) => rows > 0).toSorted((a, b) => a.rows - b.rows);
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

/** The best of those that hold a rare word. Undefined when they are too few, or when there is nothing to gain. */
async function findByRareWords(search: Search, known: WeighedWord[]): Promise<WordMatch[] | undefined> {
  const { limit, statistics } = search;
  if (!Number.isFinite(limit) || statistics.rows < smallStore) return undefined;
  const count = countRare(known, rareShare * statistics.rows);
  if (count === known.length) return undefined;
  const found = await find(search, known, count);
  return countPlaces(found) >= limit ? found : undefined;
}

/** How many of the words, rarest first, occur in no more rows than this together; one at least. */
function countRare(known: WeighedWord[], rows: number): number {
  let sum = 0;
  const tooMany = known.findIndex((word, index) => (sum += word.rows) > rows && index > 0);
  return tooMany === -1 ? known.length : tooMany;
}

/** The best of the rows that hold one of the first `count` words. */
async function find(search: Search, known: WeighedWord[], count: number): Promise<WordMatch[]> {
  const { limit, most } = search;
  const { rowsOf, archives } = await readRows(search, known, count);
  const weights = weighRows(known, rowsOf);
  const matches: WordMatch[] = [];
  // Without a limit all of them are wanted, and put in order once.
  const all = Number.isFinite(most) ? undefined : heaviest(weights, weights.rows.length);
  const kinds = apart(weights, archives);
  const last = all?.length ?? Math.max(...kinds.map(({ rows, share }) => rows.length / share));
  for (let [size, seen] = [fewestScored, 0]; countPlaces(matches) < limit && seen < last; size *= 4) {
    const end = seen + Math.min(maxAtOnce, Math.max(size, Number.isFinite(most) ? most : maxAtOnce));
    const page = all?.slice(seen, end) ?? kinds.flatMap((kind) => pageOf(kind, seen, end));
    for (const match of await scoreRows(search, page, archives)) matches.push(match);
    seen = end;
  }
  return matches.toSorted((a, b) => b.share - a.share || b.key - a.key).slice(0, most);
}

/** How many there are beside archives; of archives where they alone are looked for. */
function countPlaces(matches: WordMatch[]): number {
  return matches.filter(({ isArchive }) => !isArchive).length || matches.length;
}

// SQLite takes 500 parts of a UNION at most.
const wordsAtOnce = 100;

interface FoundRows {
  /** For each word the rows that hold it, counted from the project's first, among those that hold one of the rare ones. */
  rowsOf: Int32Array[];
  /** The rows of the project that sum up others. */
  archives: ReadonlySet<number>;
}

async function readRows({ reader, project }: Search, known: WeighedWord[], count: number): Promise<FoundRows> {
  const rare = known.slice(0, count).map(quoted).join(" OR ");
  const matches = known.map((word, index) => (index < count ? quoted(word) : `(${rare}) AND ${quoted(word)}`));
  const rowsOf: Int32Array[] = [];
  // Many words in one statement: a server may be far away.
  for (let begin = 0; begin < matches.length; begin += wordsAtOnce) {
    const page = matches.slice(begin, begin + wordsAtOnce);
    const statements = page.map(
      (_, index) =>
        `SELECT group_concat(rowid - :first) AS rows FROM memory_words
         WHERE memory_words MATCH :word${index} AND rowid BETWEEN :first AND :last`,
    );
    const args = Object.fromEntries(page.map((match, index) => [`word${index}`, match]));
    if (begin === 0) statements.push(selectArchives);
    const found = await reader.rows(statements.join(" UNION ALL "), { ...keyRange(project), ...args });
    rowsOf.push(...found.map(({ rows }) => parseNumbers(String(rows ?? ""))));
  }
  const [archives] = rowsOf.splice(Math.min(wordsAtOnce, known.length), 1);
  return { rowsOf, archives: new Set(archives) };
}

const selectArchives = `SELECT group_concat(memory_key - :first) AS rows FROM conversation_archives
  WHERE memory_key BETWEEN :first AND :last`;

/** Every token is quoted, so that nothing in a query is taken for an operator. */
function quoted({ token, prefix }: WeighedWord): string {
  return `"${token}"${prefix ? " *" : ""}`;
}

/** The whole numbers of "3,14,159". By hand, because split() and Number() take five times as long. */
function parseNumbers(list: string): Int32Array {
  const numbers: number[] = [];
  let number = 0;
  for (let index = 0; index < list.length; index += 1) {
    const code = list.charCodeAt(index);
    if (code === comma) {
      numbers.push(number);
      number = 0;
    } else number = 10 * number + code - zero;
  }
  if (list !== "") numbers.push(number);
  return Int32Array.from(numbers);
}

const comma = 44;
const zero = 48;

/** Rows, and for each the weight of the words that it holds. */
interface RowWeights {
  rows: number[];
  weightOf: Float64Array;
}

function weighRows(known: WeighedWord[], rowsOf: Int32Array[]): RowWeights {
  const last = rowsOf.reduce((highest, rows) => Math.max(highest, rows.at(-1) ?? 0), 0);
  const weightOfRow = new Float64Array(last + 1);
  const rows: number[] = [];
  known.forEach(({ weight }, index) => {
    for (const row of rowsOf[index] ?? []) {
      if (weightOfRow[row] === 0) rows.push(row);
      weightOfRow[row] = (weightOfRow[row] ?? 0) + weight;
    }
  });
  return { rows, weightOf: weightOfRow };
}

interface Kind extends RowWeights {
  /** How many of them are scored for one place. */
  share: number;
}

/** Archives and the others, each in an order of its own. */
function apart({ rows, weightOf }: RowWeights, archives: ReadonlySet<number>): Kind[] {
  if (archives.size === 0) return [{ rows, weightOf, share: 1 }];
  return [
    { rows: rows.filter((row) => !archives.has(row)), weightOf, share: 1 },
    { rows: rows.filter((row) => archives.has(row)), weightOf, share: archiveShare },
  ];
}

function pageOf(kind: Kind, seen: number, end: number): number[] {
  const [from, to] = [seen, end].map((place) => Math.ceil(place * kind.share));
  return heaviest(kind, to ?? 0).slice(from, to);
}

/** The heaviest rows, among equals the newest. Only those that may be among them are put in order. */
function heaviest({ rows, weightOf: weights }: RowWeights, count: number): number[] {
  const least = leastOf({ rows, weightOf: weights }, count);
  return rows
    .filter((row) => (weights[row] ?? 0) >= least)
    .toSorted((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0) || b - a)
    .slice(0, count);
}

/** The weight that so many rows have at least. A few words make few different sums. */
function leastOf({ rows, weightOf: weights }: RowWeights, count: number): number {
  const rowsWith = new Map<number, number>();
  for (const row of rows) rowsWith.set(weights[row] ?? 0, (rowsWith.get(weights[row] ?? 0) ?? 0) + 1);
  let left = count;
  return [...rowsWith.keys()].toSorted((a, b) => b - a).find((weight) => (left -= rowsWith.get(weight) ?? 0) <= 0) ?? 0;
}

async function scoreRows(
  { reader, project, filter, statistics }: Search,
  rows: readonly number[],
  archives: ReadonlySet<number>,
): Promise<WordMatch[]> {
  const first = Number(keyRange(project).first);
  const score = wordScorer(statistics);
  // All in one row, because the driver takes longer for a row than SQLite for what is in it. From the table behind the
  // index, which is a third faster than through it.
  const [row] = await reader.rows(
    `SELECT json_group_array(json_array(m.key, w.c0, w.c1, w.c2, w.c3)) AS found
     FROM json_each(:keys) AS k
     CROSS JOIN memories AS m ON m.key = k.value
     CROSS JOIN memory_words_content AS w ON w.id = m.key
     WHERE ${filter.conditions.join(" AND ")}`,
    { ...filter.args, keys: JSON.stringify(rows.map((one) => one + first)) },
  );
  const found = JSON.parse(String(row?.["found"] ?? "[]")) as [key: number, ...columns: string[]][];
  return found.map(([key, ...columns]) => {
    const shares = score(columns);
    return { key, columns, shares, share: sumOf(shares), isArchive: archives.has(key - first) };
  });
}
