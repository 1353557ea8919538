import type { Reader } from "../../storage/storage.js";
import type { ActiveModel } from "./active-model.js";
import { vectorOf } from "./binary-vector.js";

/** The vectors of these memories, by their ids, as far as this model made them. */
export async function listVectors(
  reader: Reader,
  ids: string[],
  model: ActiveModel,
): Promise<Map<string, Float32Array>> {
  const rows = await reader.rows(
    `SELECT m.id, hex(v.vector) AS vector FROM json_each(:ids) AS wanted
     CROSS JOIN memories AS m ON m.id = wanted.value
     CROSS JOIN memory_vectors AS v ON v.memory_key = m.key
     WHERE v.model_number = :model AND m.embedded_by = :model`,
    { ids: JSON.stringify(ids), model: BigInt(model.number) },
  );
  return new Map(rows.map((row) => [String(row["id"]), vectorOf(String(row["vector"]))]));
}
