import { queryWords, type QueryWord } from "../../base/text/text.js";
import type { Reader } from "../../storage/storage.js";
import type { Tree } from "../codegraph.js";
import { numbersOf } from "../chunks/chunk-queries.js";

export interface WordHit {
  /** How much of the question's weight it carries, all words together. */
  share: number;
  /** The tokens of the question that it holds, the rarest first. */
  matched: string[];
}

/**
 * Chunks that hold words of the question. FTS5 only tells which rows hold a word, which takes a tenth of the time of its
 * bm25(); the heaviest are then scored in full.
 */
export async function listWordHits(
  reader: Reader,
  tree: Tree,
  question: string,
  { fitting, most }: { fitting: ReadonlySet<number> | undefined; most: number },
): Promise<Map<number, WordHit>> {
  const words = await weighWords(reader, queryWords(question).words.slice(0, maxWords));
  const known = words.filter(({ rows }) => rows > 0).toSorted((a, b) => a.rows - b.rows);
  if (known.length === 0) return new Map();
  const heaviest = await findHeaviest(reader, tree, known, { fitting, most: Math.max(most, fewestScored) });
  const hits = await scoreRows(reader, words, namesIn(question, words), heaviest);
  return new Map(hits.toSorted(([, a], [, b]) => b.share - a.share).slice(0, most));
}

// SQLite takes 500 parts of a UNION at most; nobody asks with more words than this.
const maxWords = 100;
// Rows that are scored in full, by the weight of the words they hold.
const fewestScored = 200;

interface WeighedWord extends QueryWord {
  /** In how many chunks of the store it occurs. */
  rows: number;
  /** How much it tells: the rarer, the more. */
  weight: number;
}

async function weighWords(reader: Reader, words: QueryWord[]): Promise<WeighedWord[]> {
  const [row] = await reader.rows(
    `SELECT (SELECT count(*) FROM code_chunks) AS chunks,
       (SELECT json_group_object(term, doc) FROM code_vocabulary WHERE term IN (SELECT value FROM json_each(:tokens))) AS found`,
    { tokens: JSON.stringify(words.filter(({ prefix }) => !prefix).map(({ token }) => token)) },
  );
  const chunks = Number(row?.["chunks"] ?? 0);
  const found = new Map(Object.entries(JSON.parse(String(row?.["found"] ?? "{}")) as Record<string, number>));
  return Promise.all(
    words.map(async (word) => {
      const rows = Math.min(
        chunks,
        word.prefix ? await countBeginning(reader, word.token) : (found.get(word.token) ?? 0),
      );
      return { ...word, rows, weight: Math.log(1 + (chunks - rows + 0.5) / (rows + 0.5)) };
    }),
  );
}

/** A chunk may hold several words that begin so: an upper bound. */
async function countBeginning(reader: Reader, beginning: string): Promise<number> {
  const [row] = await reader.rows(
    "SELECT ifnull(sum(doc), 0) AS rows FROM code_vocabulary WHERE term >= :from AND term < :to",
    { from: beginning, to: `${beginning}\u{10ffff}` },
  );
  return Number(row?.["rows"] ?? 0);
}

// The rarest words that together occur in so many rows are looked up first; the others only add to what those find.
const rareRows = 3000;

/** The rows with the most weight of words, among those that hold one of the rarest. */
async function findHeaviest(
  reader: Reader,
  tree: Tree,
  known: readonly WeighedWord[],
  { fitting, most }: { fitting: ReadonlySet<number> | undefined; most: number },
): Promise<number[]> {
  let sum = 0;
  const tooMany = known.findIndex(({ rows }, at) => (sum += rows) > rareRows && at > 0);
  const count = tooMany === -1 ? known.length : tooMany;
  const rare = known.slice(0, count).map(quoted).join(" OR ");
  const matches = known.map((word, at) => (at < count ? quoted(word) : `(${rare}) AND ${quoted(word)}`));
  const rows = await reader.rows(
    matches
      .map(
        (_, at) => `SELECT json_group_array(rowid) AS numbers FROM code_words
          WHERE code_words MATCH :word${at} AND rowid BETWEEN :first AND :last`,
      )
      .join(" UNION ALL "),
    { ...numbersOf(tree), ...Object.fromEntries(matches.map((match, at) => [`word${at}`, match])) },
  );
  const weights = new Map<number, number>();
  known.forEach(({ weight }, at) => {
    for (const number of JSON.parse(String(rows[at]?.["numbers"] ?? "[]")) as number[]) {
      if (!fitting || fitting.has(number)) weights.set(number, (weights.get(number) ?? 0) + weight);
    }
  });
  return [...weights]
    .toSorted(([a, one], [b, other]) => other - one || a - b)
    .slice(0, most)
    .map(([number]) => number);
}

/** Every token is quoted, so that nothing in a question is taken for an operator. */
function quoted({ token, prefix }: QueryWord): string {
  return `"${token}"${prefix ? " *" : ""}`;
}

/** What in a question may be the name of something, as it is written, and the share of the question's weight that it has. */
function namesIn(question: string, words: readonly WeighedWord[]): ReadonlyMap<string, number> {
  const weightOf = new Map(words.map(({ token, weight }) => [token, weight]));
  const total = sumOf(words);
  const names = new Map<string, number>();
  for (const [name] of question.matchAll(/[\p{L}_$#][\p{L}\p{N}_$]*(?:(?:\.|::|#)[\p{L}_$#][\p{L}\p{N}_$]*)*/gu)) {
    const whole = name.replaceAll(/::|#/g, ".");
    for (const one of [whole, whole.slice(whole.lastIndexOf(".") + 1)]) {
      const weight = queryWords(one).words.reduce((sum, { token }) => sum + (weightOf.get(token) ?? 0), 0);
      names.set(one, weight / total);
    }
  }
  return names;
}

function sumOf(words: readonly WeighedWord[]): number {
  return words.reduce((sum, { weight }) => sum + weight, 0);
}

// How much a word counts in the text, the name and the path of a chunk. Of 34 questions about this repository 33 find their
// file among the first five with any name from 1 to 5, any path from 1 to 4, and these two from 0.6 and 0.5 to 2 and 0.9;
// the best of them are first once or twice more often (2026-11).
const columnWeights = [1, 3, 2];
const saturation = 1.2;
const lengthShare = 0.7;
// What is called exactly what the question says. More than 0.5 puts plain words that are also names too high.
const exactName = 0.5;

/** BM25 over all words of the question, those included that nothing has. */
async function scoreRows(
  reader: Reader,
  words: readonly WeighedWord[],
  names: ReadonlyMap<string, number>,
  numbers: readonly number[],
): Promise<[number: number, hit: WordHit][]> {
  // From the table behind the index, and all in one row: see retrieval/list-word-matches.ts.
  const [row] = await reader.rows(
    `SELECT json_group_array(json_array(c.number, c.name, w.c0, w.c1, w.c2)) AS found
     FROM json_each(:numbers) AS n CROSS JOIN code_chunks AS c ON c.number = n.value
     CROSS JOIN code_words_content AS w ON w.id = c.number`,
    { numbers: JSON.stringify(numbers) },
  );
  const found = JSON.parse(String(row?.["found"] ?? "[]")) as [number: number, name: string, ...columns: string[]][];
  const count = wordCounter(words);
  const rows = found.map(([number, name, ...columns]) => ({ number, name, ...count(columns) }));
  const averageLength = rows.reduce((sum, { length }) => sum + length, 0) / rows.length;
  const total = sumOf(words);
  return rows.map(({ number, name, counts, length }) => {
    const dilution = saturation * (1 - lengthShare + (lengthShare * length) / averageLength);
    let share = exactName * shareOfName(name, names);
    const matched: WeighedWord[] = [];
    words.forEach((word, at) => {
      const times = counts[at] ?? 0;
      if (times === 0) return;
      share += (word.weight * times * (saturation + 1)) / (times + dilution) / total;
      matched.push(word);
    });
    return [number, { share, matched: matched.toSorted((a, b) => b.weight - a.weight).map(({ token }) => token) }];
  });
}

interface WordCounts {
  /** For each word how often it occurs, by the weight of where. */
  counts: Float64Array;
  length: number;
}

function wordCounter(words: readonly QueryWord[]): (columns: readonly string[]) => WordCounts {
  const places = new Map(words.flatMap(({ token, prefix }, at) => (prefix ? [] : [[token, at]])));
  const prefixes = words.flatMap(({ token, prefix }, at) => (prefix ? [{ token, at }] : []));
  return (columns) => {
    const counts = new Float64Array(words.length);
    let length = 0;
    columns.forEach((column, number) => {
      if (column === "") return;
      for (const token of column.split(" ")) {
        length += 1;
        const at = places.get(token) ?? prefixes.find((prefix) => token.startsWith(prefix.token))?.at;
        if (at !== undefined) counts[at] = (counts[at] ?? 0) + (columnWeights[number] ?? 1);
      }
    });
    return { counts, length };
  };
}

/** Of the names of a chunk, alone or with what it is in, the one that weighs most in the question. */
function shareOfName(name: string, names: ReadonlyMap<string, number>): number {
  const shares = name.split(", ").map((one) => names.get(one) ?? names.get(one.slice(one.lastIndexOf(".") + 1)) ?? 0);
  return Math.max(...shares);
}
