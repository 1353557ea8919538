import { type FilterSql, keyRange } from "../../memory/read/read.js";
import type { Project } from "../../project/project.js";
import type { Reader, SqlArgs } from "../../storage/storage.js";
import type { ActiveModel } from "./active-model.js";
import type { BinaryVectorIndex } from "./binary-vector-index.js";
import { bytesOf } from "./binary-vector.js";

/** A text as a vector, and the model that made it. */
export interface EmbeddedQuery {
  vector: Float32Array;
  model: ActiveModel;
}

/** A memory and the cosine between its vector and the question's, -1 to 1. */
export interface Nearest {
  key: number;
  similarity: number;
}

// Up to here every vector is compared: 2 ms, as long as rescoring what the codes find (384 dimensions; 2026-11).
const exactRows = 2000;
// So many of the codes' best are compared exactly. Of 100,000 memories, 0.998 of the ten nearest are among 240 (252 questions;
// all of them behind a filter of 1 %); with 400 all of them, and a hybrid recall takes a tenth longer (2026-11).
const fewestCandidates = 240;
const candidatesPerResult = 8;
// When one of the ten nearest was that far down among the candidates, another may be below them.
const edge = 0.6;
const widening = 4;

/** The memories of a project that mean most nearly the same, nearest first, by the exact cosine. */
export async function listNearest(
  reader: Reader,
  index: BinaryVectorIndex,
  project: Project,
  query: EmbeddedQuery,
  filter: FilterSql,
  limit: number,
): Promise<Nearest[]> {
  if (limit <= 0) return [];
  const search: Search = { reader, index, project, query, filter, limit };
  if (filter.isSelective) {
    const few = await listFitting(search, exactRows + 1);
    if (few.length <= exactRows) return compareFew(search, few);
  } else if (await isSmall(search)) return compareAll(search);
  const near = await findByCodes(search);
  if (near.isSure) return near.found;
  // The filter leaves few of the nearest: its memories first, then the nearest of them.
  const fitting = await listFitting(search, -1);
  if (fitting.length <= exactRows) return compareFew(search, fitting);
  return (await findByCodes(search, new Set(fitting))).found;
}

/** The cosine of each of these memories; those without a vector of the same model are missing. */
export async function similarities(reader: Reader, keys: number[], query: EmbeddedQuery): Promise<Map<number, number>> {
  const found = await compare(reader, query, {
    from: chosenVectors,
    conditions: [],
    args: { keys: JSON.stringify(keys) },
  });
  return new Map(found.map(({ key, similarity }) => [key, similarity]));
}

interface Search {
  reader: Reader;
  index: BinaryVectorIndex;
  project: Project;
  query: EmbeddedQuery;
  filter: FilterSql;
  limit: number;
}

/** The memories that the filter leaves, so many at most. */
async function listFitting({ reader, filter, query }: Search, most: number): Promise<number[]> {
  const [row] = await reader.rows(
    // The plus keeps SQLite from walking through all that the model has embedded.
    `SELECT json_group_array(key) AS keys FROM (SELECT m.key FROM memories AS m
       WHERE ${filter.conditions.join(" AND ")} AND +m.embedded_by = :model LIMIT :most)`,
    { ...filter.args, model: BigInt(query.model.number), most: BigInt(most) },
  );
  return JSON.parse(String(row?.["keys"] ?? "[]")) as number[];
}

/** The highest key tells at most how many vectors the project has, without counting them. */
async function isSmall({ reader, project }: Search): Promise<boolean> {
  const { first, last } = keyRange(project);
  const [row] = await reader.rows(
    "SELECT max(memory_key) AS key FROM memory_vectors WHERE memory_key BETWEEN :first AND :last",
    { first, last },
  );
  return Number(row?.["key"] ?? first) - Number(first) <= exactRows;
}

interface Found {
  found: Nearest[];
  /** False when nearer ones may not have been among the candidates. */
  isSure: boolean;
}

/** The nearest by their codes, compared exactly; of those chosen, where some are. */
async function findByCodes(search: Search, among?: Set<number>): Promise<Found> {
  const { reader, index, limit } = search;
  await index.learn(reader);
  const wanted = Math.max(fewestCandidates, candidatesPerResult * limit);
  const near = await compareNearest(search, wanted, among);
  const { found, isSure, fits } = near.isSure ? near : await compareNearest(search, widening * wanted, among);
  return { found: found.slice(0, limit), isSure: isSure || fits > 0.5 };
}

async function compareNearest(
  search: Search,
  wanted: number,
  among: Set<number> | undefined,
): Promise<Found & { fits: number }> {
  const { reader, index, query, limit } = search;
  const candidates = index.nearest(query.vector, wanted, among);
  const found = await compareChosen(search, candidates);
  if (await isHaunted(search, candidates, found.length)) {
    await index.reload(reader);
    return compareNearest(search, wanted, among);
  }
  const isEnough = found.length >= limit && !isAtEdge(found, candidates);
  return { found, isSure: isEnough || candidates.length < wanted, fits: found.length / candidates.length };
}

/** True when many of the candidates are ghosts, which take the places of others. */
async function isHaunted({ reader }: Search, candidates: number[], found: number): Promise<boolean> {
  const enough = 0.75 * candidates.length;
  if (found >= enough) return false;
  const [row] = await reader.rows(
    "SELECT count(*) AS n FROM json_each(:keys) AS chosen JOIN memory_vectors AS v ON v.memory_key = chosen.value",
    { keys: JSON.stringify(candidates) },
  );
  return Number(row?.["n"] ?? 0) < enough;
}

function isAtEdge(found: Nearest[], candidates: number[]): boolean {
  const beyond = new Set(candidates.slice(edge * candidates.length));
  return found.slice(0, 10).some(({ key }) => beyond.has(key));
}

async function compareAll({ reader, project, query, filter, limit }: Search): Promise<Nearest[]> {
  const found = await compare(reader, query, {
    from: "memory_vectors AS v CROSS JOIN memories AS m ON m.key = v.memory_key",
    conditions: ["v.memory_key BETWEEN :first AND :last", ...filter.conditions],
    args: { ...filter.args, ...keyRange(project) },
  });
  return found.slice(0, limit);
}

async function compareFew(search: Search, keys: number[]): Promise<Nearest[]> {
  return (await compareChosen(search, keys)).slice(0, search.limit);
}

async function compareChosen({ reader, query, filter }: Search, keys: number[]): Promise<Nearest[]> {
  return compare(reader, query, {
    from: `${chosenVectors} CROSS JOIN memories AS m ON m.key = v.memory_key`,
    conditions: filter.conditions,
    args: { ...filter.args, keys: JSON.stringify(keys) },
  });
}

const chosenVectors = "json_each(:keys) AS chosen CROSS JOIN memory_vectors AS v ON v.memory_key = chosen.value";

/** Vectors of another model are never compared, whatever is asked; nor is one that is damaged, or that somebody made up. */
async function compare(
  reader: Reader,
  { vector, model }: EmbeddedQuery,
  { from, conditions, args }: { from: string; conditions: string[]; args: SqlArgs },
): Promise<Nearest[]> {
  // All in one row, because the driver takes longer for a row than SQLite for a comparison.
  const [row] = await reader.rows(
    `SELECT json_group_array(json_array(v.memory_key, 1 - vector_distance_cos(v.vector, :vector))) AS found
     FROM ${from} WHERE ${["v.model_number = :model", "length(v.vector) = :bytes", ...conditions].join(" AND ")}`,
    { ...args, vector: bytesOf(vector), bytes: BigInt(vector.byteLength), model: BigInt(model.number) },
  );
  const found = JSON.parse(String(row?.["found"] ?? "[]")) as [key: number, similarity: number | null][];
  return found
    .filter((one): one is [number, number] => Number.isFinite(one[1]))
    .map(([key, similarity]) => ({ key, similarity }))
    .toSorted((a, b) => b.similarity - a.similarity || b.key - a.key);
}
