import { createHash } from "node:crypto";
import type { Reader, Writer } from "../../storage/storage.js";
import { bytesOf, vectorOf } from "../vectors/binary-vector.js";

const lifeDays = 7;
/** More are not kept: 2,000 vectors of 384 dimensions are 3 MB, of 1,024 dimensions 8 MB, of 4,096 dimensions 33 MB. */
export const maxCached = 2000;

/** What stands for a text in the cache: nothing of it can be read back. */
export function cacheKey(text: string, kind: "query" | "document", model: { id: string; dimensions: number }): string {
  return createHash("sha256")
    .update(JSON.stringify([text, kind, model.id, model.dimensions]))
    .digest("hex");
}

/** The vectors that are known, by key. */
export async function listCached(reader: Reader, keys: string[], now: Date): Promise<Map<string, Float32Array>> {
  if (keys.length === 0) return new Map();
  const rows = await reader.rows(
    `SELECT key, hex(vector) AS vector FROM embedding_cache
     WHERE key IN (SELECT value FROM json_each(:keys)) AND expires_at > :now`,
    { keys: JSON.stringify(keys), now: now.toISOString() },
  );
  return new Map(rows.map((row) => [String(row["key"]), vectorOf(String(row["vector"]))]));
}

/** Keeps vectors of one model for a week, and lets go of those that are over it or too many, the oldest first. */
export async function storeCached(writer: Writer, vectors: Map<string, Float32Array>, now: Date): Promise<void> {
  const [first] = vectors.values();
  if (!first) return;
  await writer.run(
    `INSERT INTO embedding_cache (key, vector, expires_at)
     SELECT value, substr(:vectors, 1 + key * :bytes, :bytes), :expires FROM json_each(:keys) WHERE true
     ON CONFLICT (key) DO UPDATE SET expires_at = excluded.expires_at`,
    {
      keys: JSON.stringify([...vectors.keys()]),
      vectors: Buffer.concat([...vectors.values()].map(bytesOf)),
      bytes: BigInt(first.byteLength),
      expires: new Date(now.getTime() + lifeDays * 86_400_000).toISOString(),
    },
  );
  await writer.run(
    `DELETE FROM embedding_cache WHERE expires_at <= :now
       OR key IN (SELECT key FROM embedding_cache ORDER BY expires_at DESC, key LIMIT -1 OFFSET :most)`,
    { now: now.toISOString(), most: BigInt(maxCached) },
  );
}
