import type { Reader, SqlArgs } from "../../storage/storage.js";
import { parseNodeId } from "../../base/ids/ids.js";
import { filterConditions } from "../../memory/read/read.js";
import type { RelationKind } from "../../memory/memory.js";
import type { Project } from "../../project/project.js";

/** A memory that hangs on a file or a symbol. */
export interface CodeLink {
  key: number;
  id: string;
  /** The node as the memory names it; where a file or a class was asked for, it may be something in it. */
  on: string;
  /** How: by a relation, as a related file, or as one of its graph nodes. */
  by: RelationKind | "file" | "node";
  /** That of the relation; 1 where somebody stated the file or the node. */
  confidence: number;
  /** True when Tacit found it. */
  automatic: boolean;
}

export interface CodeLinkOptions {
  now: Date;
  /** So many answers at most, default 100. */
  limit?: number;
}

/**
 * The memories in force that hang on these files and symbols (`src/a.ts`, `src/a.ts#Store.read`). What hangs on a
 * method is listed for its class, too, and what hangs on a symbol for its file. Each memory once a node, what somebody stated before what Tacit found, then the newest.
 * What is forgotten, superseded, expired, flagged or not trusted is left out, as in recall.
 */
export async function listCodeLinks(
  reader: Reader,
  project: Project,
  ids: readonly string[],
  { now, limit = 100 }: CodeLinkOptions,
): Promise<CodeLink[]> {
  if (ids.length === 0) return [];
  const { conditions, args } = filterConditions({ includeTainted: false }, project, now);
  const rows = await reader.rows(
    // With a min(), SQLite takes the other columns from the row that has it.
    `WITH ${linkedSql}
     SELECT m.key, m.id, l.node, l.kind, l.confidence, l.automatic, min(${doubtSql}) AS doubt
     FROM linked AS l CROSS JOIN memories AS m ON m.key = l.key
     WHERE ${conditions.join(" AND ")}
     GROUP BY m.key, l.node
     ORDER BY l.automatic, m.created_at DESC, m.key DESC, l.node
     LIMIT :limit`,
    { ...args, ...askedFor(ids), project: BigInt(project.number), limit: BigInt(limit) },
  );
  return rows.map((row) => ({
    key: Number(row["key"]),
    id: String(row["id"]),
    on: String(row["node"]),
    by: String(row["kind"]) as CodeLink["by"],
    confidence: Number(row["confidence"]),
    automatic: row["automatic"] === 1,
  }));
}

/** Which of several links of a memory to a node is told: what was stated before what was found, and a relation first. */
const doubtSql = "l.automatic * 4 + (l.kind = 'file') * 2 + (l.kind = 'node') - l.confidence";

/** The nodes that `linkedSql` is to look for, and what they hold. */
export function askedFor(ids: readonly string[]): SqlArgs {
  // What follows "#" and "." in ASCII: the names of what a node holds lie between its own with the one and with the other.
  const ranges = ids.map((id) => (parseNodeId(id).symbol === "" ? [id, `${id}#`, `${id}$`] : [id, `${id}.`, `${id}/`]));
  return { asked: JSON.stringify(ranges) };
}

/**
 * `linked`: what leads from the memories of `:project` to the nodes that are asked for, whatever their status. A node that a
 * memory names in several ways is there as often. Relations of other projects are there too.
 */
export const linkedSql = `asked (id, first, beyond) AS (
      SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(:asked)),
    linked (key, node, kind, confidence, automatic) AS (
      SELECT r.memory_key, r.target_file, r.kind, r.confidence, r.automatic
      FROM asked AS a CROSS JOIN memory_relations AS r ON r.target_file = a.id
      UNION ALL
      SELECT r.memory_key, r.target_file, r.kind, r.confidence, r.automatic
      FROM asked AS a CROSS JOIN memory_relations AS r ON r.target_file >= a.first AND r.target_file < a.beyond
      UNION ALL
      SELECT f.memory_key, f.value, f.kind, 1, 0
      FROM asked AS a CROSS JOIN memory_facets AS f
        ON f.project_number = :project AND f.kind IN ('file', 'node') AND f.value = a.id
      UNION ALL
      SELECT f.memory_key, f.value, f.kind, 1, 0
      FROM asked AS a CROSS JOIN memory_facets AS f
        ON f.project_number = :project AND f.kind IN ('file', 'node') AND f.value >= a.first AND f.value < a.beyond)`;
