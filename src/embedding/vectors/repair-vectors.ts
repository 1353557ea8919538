import type { Reader, Writer } from "../../storage/storage.js";

/** True for a memory whose vector is not what its row says: of another model, of another size, missing or too many. */
const isOutOfStep = `(m.embedded_by IS NOT v.model_number
  OR length(v.vector) <> (SELECT 4 * dimensions FROM embedding_models WHERE number = v.model_number))`;

/** How many memories have a vector that is not the one their row speaks of. 0 when everything is in step. */
export async function countInconsistentVectors(reader: Reader): Promise<number> {
  const [row] = await reader.rows(
    `SELECT count(*) AS n FROM memories AS m LEFT JOIN memory_vectors AS v ON v.memory_key = m.key WHERE ${isOutOfStep}`,
  );
  return Number(row?.["n"] ?? 0);
}

/** Lets go of vectors that are out of step; their memories wait for new ones. */
export async function repairVectors(writer: Writer): Promise<void> {
  const broken = `SELECT m.key FROM memories AS m LEFT JOIN memory_vectors AS v ON v.memory_key = m.key WHERE ${isOutOfStep}`;
  const [row] = await writer.rows(`SELECT json_group_array(key) AS keys FROM (${broken})`);
  const keys = String(row?.["keys"] ?? "[]");
  await writer.run("DELETE FROM memory_vectors WHERE memory_key IN (SELECT value FROM json_each(:keys))", { keys });
  await writer.run("UPDATE memories SET embedded_by = NULL WHERE key IN (SELECT value FROM json_each(:keys))", {
    keys,
  });
}
