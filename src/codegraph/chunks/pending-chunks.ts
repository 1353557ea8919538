import { type ActiveModel, bytesOf } from "../../embedding/vectors/vectors.js";
import type { Reader, Writer } from "../../storage/storage.js";
import type { Tree } from "../codegraph.js";
import { numbersOf } from "./chunk-queries.js";
import type { StoredChunk } from "./chunk-text.js";
import type { ChunkType } from "./cut-chunks.js";

/** A chunk without a vector of the model that counts. */
export interface PendingChunk extends StoredChunk {
  number: number;
  path: string;
  textHash: string;
  /** Another chunk, most often of another worktree, has the same text and a vector. */
  hasTwin: boolean;
}

const isPending = "(c.embedded_by IS NULL OR c.embedded_by <> :model)";

// The other chunk whose vector will do.
const twin = `code_chunks AS other CROSS JOIN code_vectors AS v ON v.chunk_number = other.number
  WHERE other.text_hash = c.text_hash AND other.embedded_by = :model AND v.model_number = :model`;

export async function countPendingChunks(reader: Reader, tree: Tree, model: ActiveModel | undefined): Promise<number> {
  const [row] = await reader.rows(
    `SELECT count(*) AS pending FROM code_chunks AS c WHERE c.number BETWEEN :first AND :last AND ${isPending}`,
    // No model has the number 0.
    { ...numbersOf(tree), model: BigInt(model?.number ?? 0) },
  );
  return Number(row?.["pending"] ?? 0);
}

/** The next that wait, behind the number `after`. */
export async function listPendingChunks(
  reader: Reader,
  tree: Tree,
  model: ActiveModel,
  { after, count }: { after: number; count: number },
): Promise<PendingChunk[]> {
  const { first, last } = numbersOf(tree);
  const rows = await reader.rows(
    `SELECT c.number, f.path, c.type, c.name, c.start_line, c.end_line, c.text_hash, EXISTS (SELECT 1 FROM ${twin}) AS has_twin
     FROM code_chunks AS c CROSS JOIN code_files AS f ON f.number = c.file_number
     WHERE c.number > :after AND c.number <= :last AND ${isPending}
     ORDER BY c.number LIMIT :count`,
    { after: after === 0 ? first : BigInt(after), last, model: BigInt(model.number), count: BigInt(count) },
  );
  return rows.map((row) => ({
    number: Number(row["number"]),
    path: String(row["path"]),
    type: String(row["type"]) as ChunkType,
    name: String(row["name"]),
    startLine: Number(row["start_line"]),
    endLine: Number(row["end_line"]),
    textHash: String(row["text_hash"]),
    hasTwin: row["has_twin"] === 1,
  }));
}

/** Gives chunks the vector of another one with the same text. Returns how many have one now. */
export async function copyTwins(writer: Writer, model: ActiveModel, chunks: readonly PendingChunk[]): Promise<number> {
  if (chunks.length === 0) return 0;
  const args = { model: BigInt(model.number), numbers: JSON.stringify(chunks.map(({ number }) => number)) };
  await writer.run(
    `INSERT INTO code_vectors (chunk_number, model_number, vector)
     SELECT number, :model, vector FROM (
       SELECT c.number, (SELECT v.vector FROM ${twin} LIMIT 1) AS vector
       FROM json_each(:numbers) AS n CROSS JOIN code_chunks AS c ON c.number = n.value)
     WHERE vector IS NOT NULL
     ON CONFLICT (chunk_number) DO UPDATE SET model_number = excluded.model_number, vector = excluded.vector`,
    args,
  );
  return writer.run(
    `UPDATE code_chunks SET embedded_by = :model
     WHERE number IN (SELECT v.chunk_number FROM json_each(:numbers) AS n
       CROSS JOIN code_vectors AS v ON v.chunk_number = n.value WHERE v.model_number = :model)`,
    args,
  );
}

/**
 * Keeps vectors where the chunk still has the text that was embedded, and where the model is still the one that counts.
 * Returns how many.
 */
export async function keepVectors(
  writer: Writer,
  model: ActiveModel,
  made: readonly { chunk: PendingChunk; vector: Float32Array }[],
): Promise<number> {
  if (made.length === 0) return 0;
  const args = {
    model: BigInt(model.number),
    made: JSON.stringify(made.map(({ chunk: { number, textHash } }) => [number, textHash])),
  };
  const standing = `json_each(:made) AS m CROSS JOIN code_chunks AS c ON c.number = m.value ->> 0
     WHERE c.text_hash = m.value ->> 1
       AND (SELECT CAST(value AS INTEGER) FROM store_state WHERE name = 'embedding_model') = :model`;
  // The vectors end to end: see embedding/store-vectors.ts.
  await writer.run(
    `INSERT INTO code_vectors (chunk_number, model_number, vector)
     SELECT c.number, :model, substr(:vectors, 1 + m.key * :bytes, :bytes) FROM ${standing}
     ON CONFLICT (chunk_number) DO UPDATE SET model_number = excluded.model_number, vector = excluded.vector`,
    {
      ...args,
      vectors: Buffer.concat(made.map(({ vector }) => bytesOf(vector))),
      bytes: BigInt(4 * model.dimensions),
    },
  );
  return writer.run(
    `UPDATE code_chunks SET embedded_by = :model WHERE number IN (SELECT c.number FROM ${standing})`,
    args,
  );
}
