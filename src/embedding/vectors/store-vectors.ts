import type { Writer } from "../../storage/storage.js";
import type { ActiveModel } from "./active-model.js";
import { bytesOf, toBinaryVector } from "./binary-vector.js";
import type { PendingMemory } from "./pending.js";

/** A memory and the vector of the text that it had when it was read. */
export interface MadeVector {
  memory: Pick<PendingMemory, "key" | "parts">;
  vector: Float32Array;
}

/**
 * Keeps vectors where the memory still says what was embedded, and where the model is still the one that counts. Returns
 * the keys of those memories.
 */
export async function storeVectors(writer: Writer, model: ActiveModel, vectors: MadeVector[]): Promise<Set<number>> {
  if (vectors.length === 0) return new Set();
  // Upwards, or SQLite leaves its pages half empty: 420 MB for 100,000 vectors instead of 220 (2026-11).
  const made = vectors.toSorted((a, b) => a.memory.key - b.memory.key);
  const codes = made.map(({ vector }) => toBinaryVector(vector));
  const [codeBytes, vectorBytes] = [codes[0]?.length ?? 0, 4 * model.dimensions];
  const number = BigInt(model.number);
  await writer.run(
    `INSERT INTO store_state (name, value) VALUES ('vector_change', :count)
     ON CONFLICT (name) DO UPDATE SET value = CAST(CAST(value AS INTEGER) + CAST(excluded.value AS INTEGER) AS TEXT)`,
    { count: String(made.length) },
  );
  // One statement with the vectors end to end: 6 ms for 256, 10 as JSON, 13 a row at a time (2026-11); and one journey to
  // a server.
  await writer.run(
    `INSERT INTO memory_vectors (memory_key, project_number, model_number, change, code, vector)
     SELECT m.key, m.project_number, :model,
       (SELECT CAST(value AS INTEGER) FROM store_state WHERE name = 'vector_change') - :count + made.key + 1,
       substr(:codes, 1 + made.key * :codeBytes, :codeBytes), substr(:vectors, 1 + made.key * :vectorBytes, :vectorBytes)
     FROM json_each(:made) AS made CROSS JOIN memories AS m ON m.key = made.value ->> 0
     WHERE m.content = made.value ->> 1 AND m.type = made.value ->> 2
       AND m.related_files = made.value ->> 3 AND m.related_modules = made.value ->> 4
       AND (SELECT CAST(value AS INTEGER) FROM store_state WHERE name = 'embedding_model') = :model
     ON CONFLICT (memory_key) DO UPDATE SET model_number = excluded.model_number, change = excluded.change,
       code = excluded.code, vector = excluded.vector`,
    {
      model: number,
      count: BigInt(made.length),
      codeBytes: BigInt(codeBytes),
      vectorBytes: BigInt(vectorBytes),
      codes: Buffer.concat(codes),
      vectors: Buffer.concat(made.map(({ vector }) => bytesOf(vector))),
      made: JSON.stringify(made.map(({ memory }) => [memory.key, ...memory.parts])),
    },
  );
  const kept = await writer.rows(
    `UPDATE memories SET embedded_by = :model
     WHERE key IN (SELECT v.memory_key FROM json_each(:keys) AS chosen
       CROSS JOIN memory_vectors AS v ON v.memory_key = chosen.value
       WHERE v.change > (SELECT CAST(value AS INTEGER) FROM store_state WHERE name = 'vector_change') - :count)
     RETURNING key`,
    { model: number, count: BigInt(made.length), keys: JSON.stringify(made.map(({ memory }) => memory.key)) },
  );
  return new Set(kept.map((row) => Number(row["key"])));
}
