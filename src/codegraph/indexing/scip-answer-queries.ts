import type { Reader, Writer } from "../../storage/storage.js";
import { pagesOf } from "../tree/pages-of.js";

/** What is kept of an index for one file. */
export interface StoredScipAnswers {
  number: number;
  /** Of the text that it speaks of. */
  hash: string;
  /** A `Said` as JSON. */
  answers: string;
}

/** Keeps what an index says of files, unless they were read anew meanwhile; gives whose. They are to be linked anew. */
export async function putScipAnswers(writer: Writer, files: readonly StoredScipAnswers[]): Promise<Set<number>> {
  const kept = new Set<number>();
  for (const page of pagesOf(files, ({ answers }) => answers.length)) {
    const rows = page.map((_, at) => `(:n${at}, :h${at}, :s${at})`);
    const args = page.flatMap(({ number, hash, answers }, at): [string, bigint | string][] => [
      [`n${at}`, BigInt(number)],
      [`h${at}`, hash],
      [`s${at}`, answers],
    ]);
    const put = await writer.rows(
      `WITH given (number, hash, said) AS (VALUES ${rows.join(", ")})
       INSERT INTO code_scip (file_number, hash, said)
       SELECT f.number, g.hash, g.said FROM given AS g CROSS JOIN code_files AS f ON f.number = g.number AND f.hash = g.hash
       WHERE true ON CONFLICT (file_number) DO UPDATE SET hash = excluded.hash, said = excluded.said
       RETURNING file_number`,
      Object.fromEntries(args),
    );
    const numbers = put.map((row) => Number(row["file_number"]));
    for (const number of numbers) kept.add(number);
    await writer.run("UPDATE code_files SET is_linked = 0 WHERE number IN (SELECT value FROM json_each(:numbers))", {
      numbers: JSON.stringify(numbers),
    });
  }
  return kept;
}

/** What an index says of files, each a `Said` as JSON, where they still are what it was made of. */
export async function readScipAnswers(reader: Reader, numbers: readonly number[]): Promise<Map<number, string>> {
  const rows = await reader.rows(
    `SELECT s.file_number, s.said FROM json_each(:numbers) AS wanted
     CROSS JOIN code_scip AS s ON s.file_number = wanted.value
     CROSS JOIN code_files AS f ON f.number = s.file_number AND f.hash = s.hash`,
    { numbers: JSON.stringify(numbers) },
  );
  return new Map(rows.map((row) => [Number(row["file_number"]), String(row["said"])]));
}

/** Files that nobody but an index could read have nothing once they have changed. */
export async function removeScipAnswers(writer: Writer, numbers: readonly number[]): Promise<void> {
  if (numbers.length === 0) return;
  const args = { numbers: JSON.stringify(numbers) };
  await writer.run("DELETE FROM code_scip WHERE file_number IN (SELECT value FROM json_each(:numbers))", args);
  await writer.run("DELETE FROM code_facts WHERE file_number IN (SELECT value FROM json_each(:numbers))", args);
}
