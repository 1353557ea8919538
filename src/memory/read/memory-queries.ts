import type { Reader, Row } from "../../storage/storage.js";
import { toMemory } from "../record/to-memory.js";
import { filterConditions, isArchived } from "./memory-filter.js";
import { recordColumns, recordOf } from "../record/record-columns.js";
import type { MemoryRecord, Drift, Memory, MemoryFilter } from "../memory.js";
import type { Project } from "../../project/project.js";
import { soundJsonSql } from "../record/sound-json.js";

/** A memory, what is stored of it, and the key of its row. The key stays inside Tacit; everybody else uses the id. */
export interface KeyedMemory {
  key: number;
  record: MemoryRecord;
  memory: Memory;
}

/**
 * The keys of a project's memories. As bigint, because the driver binds a number as REAL, and full text search
 * ignores a bound that is not an INTEGER.
 */
export function keyRange(project: Project): { first: bigint; last: bigint } {
  const first = BigInt(project.number) << 32n;
  return { first, last: first + 0xffff_ffffn };
}

export async function listByKeys(reader: Reader, project: Project, keys: number[], now: Date): Promise<KeyedMemory[]> {
  if (keys.length === 0) return [];
  const rows = await reader.rows(
    // The plus keeps SQLite from walking the whole project instead of looking the keys up.
    `${select} WHERE +m.project_number = :project AND m.key ${keys.length === 1 ? "= :keys" : "IN (SELECT value FROM json_each(:keys))"}`,
    { project: project.number, keys: keys.length === 1 ? BigInt(keys[0] ?? 0) : JSON.stringify(keys) },
  );
  const found = new Map(rows.map((row) => [Number(row["key"]), row]));
  return keys.flatMap((key) => {
    const row = found.get(key);
    return row ? [toKeyed(row, project, now)] : [];
  });
}

/** Finds by id, then by name or alias, then by short id. More than one only where a short id is shared. */
export async function listByReference(
  reader: Reader,
  project: Project,
  reference: string,
  now: Date,
): Promise<KeyedMemory[]> {
  const args = { project: project.number, reference };
  const conditions = [
    "m.id = :reference",
    `m.key = (SELECT memory_key FROM memory_names WHERE project_number = :project AND name = :reference)`,
    ...(/^[0-9a-f]{8}$/.test(reference) ? ["substr(m.id, -8) = :reference"] : []),
  ];
  for (const condition of conditions) {
    const rows = await reader.rows(`${select} WHERE m.project_number = :project AND ${condition}`, args);
    if (rows.length > 0) return rows.map((row) => toKeyed(row, project, now));
  }
  return [];
}

/** Who holds a name or alias within the project. */
export async function findNameHolder(
  reader: Reader,
  project: Project,
  name: string,
): Promise<{ key: number; id: string; citation: string; isAlias: boolean } | undefined> {
  const [row] = await reader.rows(
    `SELECT m.key, m.id, m.citation_text, n.is_alias
     FROM memory_names AS n JOIN memories AS m ON m.key = n.memory_key
     WHERE n.project_number = :project AND n.name = :name`,
    { project: project.number, name: name.normalize("NFC") },
  );
  return (
    row && {
      key: Number(row["key"]),
      id: String(row["id"]),
      citation: String(row["citation_text"]),
      isAlias: row["is_alias"] === 1,
    }
  );
}

/** The newest forgotten memory that had this name or alias. */
export async function findForgottenByName(
  reader: Reader,
  project: Project,
  name: string,
  now: Date,
): Promise<KeyedMemory | undefined> {
  const [row] = await reader.rows(
    `SELECT m.key FROM memories AS m
     WHERE m.project_number = :project AND m.forgotten_at IS NOT NULL
       AND (${soundJsonSql("released_names")} ->> 'name' = :name
         OR EXISTS (SELECT 1 FROM json_each(${soundJsonSql("released_names")}, '$.aliases') AS alias WHERE alias.value = :name))
     ORDER BY m.forgotten_at DESC LIMIT 1`,
    { project: project.number, name },
  );
  return row && (await listByKeys(reader, project, [Number(row["key"])], now))[0];
}

export interface ListQuery extends MemoryFilter {
  sort?: "recent" | "uses";
  limit?: number;
}

export async function listMemories(reader: Reader, project: Project, query: ListQuery, now: Date): Promise<Memory[]> {
  const { conditions, args } = filterConditions(query, project, now);
  const order = query.sort === "uses" ? "m.access_count DESC, m.created_at DESC" : "m.created_at DESC";
  const rows = await reader.rows(
    `${select}
     WHERE ${conditions.join(" AND ")}
     ORDER BY ${order}, m.key DESC
     LIMIT :limit`,
    { ...args, limit: query.limit ?? -1 },
  );
  return rows.map((row) => toKeyed(row, project, now).memory);
}

/**
 * Memories of the same type with this very text that are still in force, oldest first. Flagged ones too: what a person
 * called wrong does not become right by being said again.
 */
export async function listSameText(
  reader: Reader,
  project: Project,
  same: { type: string; contentHash: string },
  now: Date,
): Promise<KeyedMemory[]> {
  // The index first, because nearly every text is new and the whole row takes ten times as long to ask for.
  const rows = await reader.rows(
    "SELECT key FROM memories WHERE project_number = :project AND content_hash = :hash AND type = :type ORDER BY key",
    { project: project.number, hash: same.contentHash, type: same.type },
  );
  if (rows.length === 0) return [];
  const found = await listByKeys(
    reader,
    project,
    rows.map((row) => Number(row["key"])),
    now,
  );
  return found.filter(({ memory }) => ["active", "waiting", "flagged"].includes(memory.status));
}

export async function countMemories(reader: Reader, project?: Project): Promise<number> {
  const [row] = project
    ? await reader.rows("SELECT count(*) AS n FROM memories WHERE project_number = :project", {
        project: project.number,
      })
    : await reader.rows("SELECT count(*) AS n FROM memories");
  return Number(row?.["n"] ?? 0);
}

/** The files that memories are about which are not forgotten, with the key of each memory. */
export async function listRelatedFiles(reader: Reader, project: Project): Promise<{ file: string; key: number }[]> {
  const rows = await reader.rows(
    `SELECT f.value AS file, f.memory_key AS key FROM memory_facets AS f
     JOIN memories AS m ON m.key = f.memory_key
     WHERE f.project_number = :project AND f.kind = 'file' AND m.forgotten_at IS NULL
     ORDER BY f.value`,
    { project: project.number },
  );
  return rows.map(({ file, key }) => ({ file: String(file), key: Number(key) }));
}

// What the code says against this very text. Grouped, so that it is NULL for nearly all: without a group an aggregate of no
// rows is a row, and sqld's parser takes no HAVING without GROUP BY.
const drift = `(SELECT json_group_array(json_object('node', d.node, 'outcome', d.outcome, 'reason', d.reason))
  FROM memory_drift AS d WHERE d.memory_key = m.key AND d.content_hash = m.content_hash GROUP BY d.memory_key)`;

const select = `SELECT m.key, ${recordColumns}, m.arrived_at, ${isArchived} AS is_archived, ${drift} AS drift
  FROM memories AS m`;

function toKeyed(row: Row, project: Project, now: Date): KeyedMemory {
  const record = recordOf(row);
  const circumstances = {
    isArchived: row["is_archived"] === 1,
    ...(row["arrived_at"] && { arrivedAt: String(row["arrived_at"]) }),
    ...(row["drift"] && { drift: JSON.parse(String(row["drift"])) as Drift[] }),
  };
  return { key: Number(row["key"]), record, memory: toMemory(record, circumstances, project, now) };
}
