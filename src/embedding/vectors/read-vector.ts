import type { Reader } from "../../storage/storage.js";
import type { ActiveModel } from "./active-model.js";
import { vectorOf } from "./binary-vector.js";

/** The vector of a memory, if this model made it. */
export async function readVector(reader: Reader, key: number, model: ActiveModel): Promise<Float32Array | undefined> {
  const [row] = await reader.rows(
    "SELECT hex(vector) AS vector FROM memory_vectors WHERE memory_key = :key AND model_number = :model",
    { key: BigInt(key), model: BigInt(model.number) },
  );
  return row && vectorOf(String(row["vector"]));
}
