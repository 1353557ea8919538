import { statingTypes } from "../../memory/contradictions/contradictions.js";
import { keyRange } from "../../memory/read/read.js";
import type { Project } from "../../project/project.js";
import type { Reader, Writer } from "../../storage/storage.js";

// An import may bring any number, of which a few are asked about.
const maxKeys = 200;

/**
 * Notes that a model is to be asked about these memories, as far as they state anything and need no review; about so many at
 * most.
 */
export async function addChecks(writer: Writer, keys: readonly number[], limit: number): Promise<void> {
  await writer.run(
    `INSERT INTO contradiction_checks (memory_key)
     SELECT m.key FROM json_each(:keys) AS w CROSS JOIN memories AS m ON m.key = w.value
     WHERE m.type IN (SELECT value FROM json_each(:types)) AND m.forgotten_at IS NULL AND m.valid_until IS NULL
       AND m.review_state = 'none'
     LIMIT :limit ON CONFLICT DO NOTHING`,
    { keys: JSON.stringify(keys.slice(0, maxKeys)), limit, types: JSON.stringify([...statingTypes]) },
  );
}

/** The ids of the newest memories that are still to be asked about. Older ones wait until these are done. */
export async function listChecks(reader: Reader, project: Project, limit: number): Promise<string[]> {
  const rows = await reader.rows(
    `SELECT m.id FROM contradiction_checks AS c JOIN memories AS m ON m.key = c.memory_key
     WHERE c.memory_key BETWEEN :first AND :last ORDER BY c.memory_key DESC LIMIT :limit`,
    { ...keyRange(project), limit },
  );
  return rows.map((row) => String(row["id"]));
}

export async function removeCheck(writer: Writer, id: string): Promise<void> {
  await writer.run("DELETE FROM contradiction_checks WHERE memory_key = (SELECT key FROM memories WHERE id = :id)", {
    id,
  });
}
