import type { QueryWord } from "../base/words.js";
import type { Reader } from "../storage/storage.js";

/** A word of the question with what the store knows of it. */
export interface WeighedWord extends QueryWord {
  /** In how many memories of the whole store it occurs. */
  rows: number;
  /** How much it tells: the rarer, the more. */
  weight: number;
}

export interface WordStatistics {
  /** Memories in the whole store. Over all projects: what a common word is does not depend on the folder. */
  rows: number;
  /** Tokens of a memory, on average. */
  averageLength: number;
  words: WeighedWord[];
}

export async function readStatistics(reader: Reader, words: QueryWord[]): Promise<WordStatistics> {
  const { rows, tokens } = await readTotals(reader);
  const counts = await countRows(reader, words);
  return {
    rows,
    averageLength: rows === 0 ? 1 : Math.max(1, tokens / rows),
    words: words.map((word, index) => {
      // A prefix may stand in a row under several tokens, so its count is only an upper bound.
      const rowsWithWord = Math.min(counts[index] ?? 0, rows);
      return { ...word, rows: rowsWithWord, weight: Math.log(1 + (rows - rowsWithWord + 0.5) / (rowsWithWord + 0.5)) };
    }),
  };
}

/**
 * FTS5 keeps its totals in one small record, as a list of varints: the number of rows, then the tokens of each column.
 * Counting the rows instead takes 40 times as long at 100,000.
 */
async function readTotals(reader: Reader): Promise<{ rows: number; tokens: number }> {
  const [record] = await reader.rows("SELECT hex(block) AS totals FROM memory_words_data WHERE id = 1");
  const [rows = 0, ...columns] = readVarints(Buffer.from(String(record?.["totals"] ?? ""), "hex"));
  return { rows, tokens: columns.reduce((sum, tokens) => sum + tokens, 0) };
}

function readVarints(bytes: Uint8Array): number[] {
  const numbers: number[] = [];
  let number = 0;
  for (const byte of bytes) {
    number = number * 128 + (byte & 127);
    if (byte >= 128) continue;
    numbers.push(number);
    number = 0;
  }
  return numbers;
}

async function countRows(reader: Reader, words: QueryWord[]): Promise<number[]> {
  const whole = words.filter(({ prefix }) => !prefix).map(({ token }) => token);
  const found = await reader.rows(
    "SELECT term, doc FROM memory_vocabulary WHERE term IN (SELECT value FROM json_each(:terms))",
    { terms: JSON.stringify(whole) },
  );
  const rowsOf = new Map(found.map((row) => [String(row["term"]), Number(row["doc"])]));
  const counts: number[] = [];
  for (const { token, prefix } of words) {
    counts.push(prefix ? await countRowsBeginning(reader, token) : (rowsOf.get(token) ?? 0));
  }
  return counts;
}

async function countRowsBeginning(reader: Reader, beginning: string): Promise<number> {
  const [row] = await reader.rows(
    "SELECT ifnull(sum(doc), 0) AS rows FROM memory_vocabulary WHERE term >= :from AND term < :to",
    { from: beginning, to: `${beginning}\u{10ffff}` },
  );
  return Number(row?.["rows"] ?? 0);
}
