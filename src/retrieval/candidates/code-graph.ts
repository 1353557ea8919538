import { within } from "../../base/within.js";
import type { FilterSql } from "../../memory/read/read.js";
import type { Project } from "../../project/project.js";
import type { Reader } from "../../storage/storage.js";

/** What is known of how the files of a project hang together. Without one, recall has two paths less to go. */
export interface CodeGraph {
  /** For each of these files those that it is tied to, nearest first. A file that is not known is left out. */
  neighbours(files: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** The ids of memories that belong to a pattern or a decision which concerns one of these files. */
  hanging?(files: readonly string[]): Promise<readonly string[]>;
}

/** The files that an agent works on, and what the graph ties to them. */
export interface CodeContext {
  active: readonly string[];
  neighbours: readonly string[];
  /** Ids of the memories of patterns and decisions that concern the active files. */
  linked: readonly string[];
}

// What is known of the code is worth a moment, not a wait.
const waitMs = 200;

// From the seed of the product.
const maxByCode = 15;
// Below a half, so that a memory of a neighbour stays behind one that has every word of the question, even where it is about
// the structure of the code.
const ofNeighbour = 0.4;

/**
 * The memories of the active files, and of the files and the patterns around those; the nearest first, then the newest.
 */
export async function listByCode(
  reader: Reader,
  project: Project,
  filter: FilterSql,
  { active, neighbours, linked }: CodeContext,
): Promise<{ key: number; strength: number }[]> {
  if (active.length === 0) return [];
  const rows = await reader.rows(
    `WITH found (key, strength) AS (
       SELECT f.memory_key, CASE WHEN f.value IN (SELECT value FROM json_each(:active)) THEN 1 ELSE ${ofNeighbour} END
       FROM memory_facets AS f
       WHERE f.project_number = :project AND f.kind = 'file' AND f.value IN (SELECT value FROM json_each(:touched))
       UNION ALL
       SELECT h.key, ${ofNeighbour} FROM json_each(:linked) AS id CROSS JOIN memories AS h ON h.id = id.value)
     SELECT m.key, max(found.strength) AS strength FROM found CROSS JOIN memories AS m ON m.key = found.key
     WHERE ${filter.conditions.join(" AND ")}
     GROUP BY m.key ORDER BY strength DESC, m.key DESC LIMIT ${maxByCode}`,
    {
      ...filter.args,
      project: project.number,
      active: JSON.stringify(active),
      touched: JSON.stringify([...active, ...neighbours]),
      linked: JSON.stringify(linked),
    },
  );
  return rows.map((row) => ({ key: Number(row["key"]), strength: Number(row["strength"]) }));
}

/** The files around these, without these. Nothing is known without a graph, or where it fails. */
export async function filesAround(graph: CodeGraph | undefined, files: readonly string[]): Promise<string[]> {
  if (!graph || files.length === 0) return [];
  try {
    const known = await within(waitMs, graph.neighbours(files), () => new Map<string, readonly string[]>());
    const around = new Set([...known.values()].flat());
    for (const file of files) around.delete(file);
    return [...around];
  } catch {
    return [];
  }
}

/** The memories that hang on a pattern or a decision about these files. Nothing is known without a graph, or where it fails. */
export async function listLinkedMemories(
  graph: CodeGraph | undefined,
  files: readonly string[],
): Promise<readonly string[]> {
  if (!graph?.hanging || files.length === 0) return [];
  try {
    return await within(waitMs, graph.hanging(files), () => []);
  } catch {
    return [];
  }
}
