import { bytesOf } from "../../embedding/vectors/vectors.js";
import type { Reader, SqlArgs } from "../../storage/storage.js";
import type { Tree } from "../codegraph.js";
import { numbersOf } from "../chunks/chunk-queries.js";

/** A question as a vector, and the model that made it. */
export interface QueryVector {
  vector: Float32Array;
  model: { number: number };
}

/** Whether any chunk of a tree has a vector, and so whether a question needs one. */
export async function hasVectors(reader: Reader, tree: Tree): Promise<boolean> {
  const rows = await reader.rows(
    "SELECT 1 FROM code_vectors WHERE chunk_number BETWEEN :first AND :last LIMIT 1",
    numbersOf(tree),
  );
  return rows.length > 0;
}

/**
 * The cosines of the chunks that mean most nearly the same, and of those that are asked for besides. Every vector of the
 * tree is compared.
 */
export async function listNearestChunks(
  reader: Reader,
  tree: Tree,
  question: QueryVector,
  { fitting, most, also }: { fitting: ReadonlySet<number> | undefined; most: number; also: number[] },
): Promise<Map<number, number>> {
  const among = fitting
    ? { from: chosen, args: { numbers: JSON.stringify([...fitting]) } }
    : { from: "code_vectors AS v WHERE v.chunk_number BETWEEN :first AND :last", args: { ...numbersOf(tree) } };
  const near = await compare(reader, question, among, most);
  const missing = also.filter((number) => !near.has(number));
  if (missing.length === 0) return near;
  const others = await compare(reader, question, { from: chosen, args: { numbers: JSON.stringify(missing) } }, -1);
  return new Map([...near, ...others]);
}

const chosen = "json_each(:numbers) AS n CROSS JOIN code_vectors AS v ON v.chunk_number = n.value WHERE true";

/** Vectors of another model are never compared, whatever is asked. */
async function compare(
  reader: Reader,
  { vector, model }: QueryVector,
  { from, args }: { from: string; args: SqlArgs },
  most: number,
): Promise<Map<number, number>> {
  const [row] = await reader.rows(
    `SELECT json_group_array(json_array(number, similarity)) AS near FROM (
       SELECT v.chunk_number AS number, 1 - vector_distance_cos(v.vector, :vector) AS similarity
       FROM ${from} AND v.model_number = :model
       ORDER BY similarity DESC, number LIMIT :most)`,
    { ...args, vector: bytesOf(vector), model: BigInt(model.number), most: BigInt(most) },
  );
  return new Map(JSON.parse(String(row?.["near"] ?? "[]")) as [number: number, similarity: number][]);
}
