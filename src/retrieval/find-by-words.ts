import type { QueryWord } from "../base/words.js";
import { keyRange } from "../memory/memory-queries.js";
import type { Project } from "../memory/projects.js";
import type { Reader, SqlArgs } from "../storage/storage.js";

/** Memories that hold words of the question, best first. */
export async function findByWords(
  reader: Reader,
  project: Project,
  words: QueryWord[],
  filter: { conditions: string[]; args: SqlArgs },
  limit: number,
): Promise<{ key: number; score: number }[]> {
  const match = words.map(({ token, prefix }) => `"${token}"${prefix ? " *" : ""}`).join(" OR ");
  const rows = await reader.rows(
    `SELECT w.rowid AS key, -bm25(memory_words) AS weight
     FROM memory_words AS w JOIN memories AS m ON m.key = w.rowid
     WHERE memory_words MATCH :match AND w.rowid BETWEEN :first AND :last AND ${filter.conditions.join(" AND ")}
     ORDER BY weight DESC, w.rowid DESC LIMIT :limit`,
    { ...filter.args, ...keyRange(project), match, limit: Number.isFinite(limit) ? limit : -1 },
  );
  return rows.map((row) => ({ key: Number(row["key"]), score: Number(row["weight"]) }));
}
