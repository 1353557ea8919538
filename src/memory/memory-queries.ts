import type { Json } from "../base/base.js";
import type { Reader, Row } from "../storage/storage.js";
import { filterConditions } from "./memory-filter.js";
import { memoryType } from "./memory-types.js";
import type { Memory, MemoryFilter, Relation, Review, Scope, Source, Status, TrustFlag, Visibility } from "./memory.js";
import type { Project } from "./projects.js";

/** A memory and the key of its row. The key stays inside Tacit; everybody else uses the id. */
export interface KeyedMemory {
  key: number;
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
  const found = new Map(rows.map((row) => [Number(row["key"]), toMemory(row, project, now)]));
  return keys.flatMap((key) => {
    const memory = found.get(key);
    return memory ? [{ key, memory }] : [];
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
    if (rows.length > 0) return rows.map((row) => ({ key: Number(row["key"]), memory: toMemory(row, project, now) }));
  }
  return [];
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
       AND (m.released_names ->> 'name' = :name
         OR EXISTS (SELECT 1 FROM json_each(m.released_names, '$.aliases') AS alias WHERE alias.value = :name))
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
  return rows.map((row) => toMemory(row, project, now));
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
  return found.filter(({ memory }) => memory.status === "active" || memory.status === "flagged");
}

export async function countMemories(reader: Reader, project?: Project): Promise<number> {
  const [row] = project
    ? await reader.rows("SELECT count(*) AS n FROM memories WHERE project_number = :project", {
        project: project.number,
      })
    : await reader.rows("SELECT count(*) AS n FROM memories");
  return Number(row?.["n"] ?? 0);
}

const select = `
  SELECT m.key, m.id, m.type, m.content, m.data, m.metadata, m.tags, m.related_files, m.related_modules, m.confidence,
    m.scope, m.visibility, m.source, m.session_id, m.agent, m.commit_sha, m.branch, m.provenance, m.graph_nodes,
    m.half_life_days, m.expires_at, m.valid_from, m.valid_until, m.superseded_by, m.review_state, m.review_reason,
    m.trust_flags, m.user_verified, m.pinned, m.citation_text, m.work_unit, m.methodology, m.chunk, m.access_count,
    m.last_accessed_at, m.created_at, m.stored_at, m.updated_at, m.forgotten_at,
    (SELECT n.name FROM memory_names AS n WHERE n.memory_key = m.key AND n.is_alias = 0) AS name,
    (SELECT json_group_array(n.name) FROM memory_names AS n WHERE n.memory_key = m.key AND n.is_alias = 1) AS aliases,
    (SELECT json_group_array(json_array(r.kind, r.target_memory, r.target_file, r.confidence, r.automatic))
       FROM memory_relations AS r WHERE r.memory_key = m.key) AS relations
  FROM memories AS m`;

/** A memory from its row and, in the columns name, aliases and relations, what is kept beside it. */
export function toMemory(row: Row, project: Project, now: Date): Memory {
  const type = text(row["type"]);
  const review: Review = {
    state: text(row["review_state"]) as Review["state"],
    ...optional("reason", row["review_reason"], text),
  };
  return {
    id: text(row["id"]),
    project: project.id,
    type,
    content: text(row["content"]),
    status: statusOf(row, now),
    ...optional("name", row["name"], text),
    aliases: json<string[]>(row["aliases"]),
    ...optional("data", row["data"], json<Record<string, Json>>),
    metadata: json<Record<string, Json>>(row["metadata"]),
    tags: json<string[]>(row["tags"]),
    relatedFiles: json<string[]>(row["related_files"]),
    relatedModules: json<string[]>(row["related_modules"]),
    confidence: Number(row["confidence"]),
    scope: text(row["scope"]) as Scope,
    visibility: text(row["visibility"]) as Visibility,
    source: text(row["source"]) as Source,
    ...optional("sessionId", row["session_id"], text),
    ...optional("agent", row["agent"], text),
    ...optional("commit", row["commit_sha"], text),
    ...optional("branch", row["branch"], text),
    provenanceSessionIds: json<string[]>(row["provenance"]),
    graphNodes: json<string[]>(row["graph_nodes"]),
    relations: json<[Relation["kind"], string | null, string | null, number, number][]>(row["relations"]).map(
      toRelation,
    ),
    ...optional("halfLifeDays", row["half_life_days"] ?? memoryType(type).halfLifeDays ?? null, Number),
    ...optional("expiresAt", row["expires_at"], text),
    validFrom: text(row["valid_from"]),
    ...optional("validUntil", row["valid_until"], text),
    ...optional("supersededBy", row["superseded_by"], text),
    review,
    trustFlags: json<TrustFlag[]>(row["trust_flags"]),
    userVerified: row["user_verified"] === 1,
    pinned: row["pinned"] === 1,
    citationText: text(row["citation_text"]),
    ...optional("workUnit", row["work_unit"], json<NonNullable<Memory["workUnit"]>>),
    ...optional("methodology", row["methodology"], text),
    ...optional("chunk", row["chunk"], json<NonNullable<Memory["chunk"]>>),
    accessCount: Number(row["access_count"]),
    ...optional("lastAccessedAt", row["last_accessed_at"], text),
    createdAt: text(row["created_at"]),
    storedAt: text(row["stored_at"]),
    updatedAt: text(row["updated_at"]),
    ...optional("forgottenAt", row["forgotten_at"], text),
  };
}

/** The same order of precedence as `statusConditions`. */
function statusOf(row: Row, now: Date): Status {
  if (row["forgotten_at"] !== null) return "forgotten";
  if (row["valid_until"] !== null) return "superseded";
  if (row["expires_at"] !== null && text(row["expires_at"]) <= now.toISOString()) return "expired";
  return row["review_state"] === "flagged" ? "flagged" : "active";
}

function toRelation([kind, memory, file, confidence, automatic]: [
  Relation["kind"],
  string | null,
  string | null,
  number,
  number,
]): Relation {
  return {
    kind,
    ...(memory !== null && { memory }),
    ...(file !== null && { file }),
    confidence,
    automatic: automatic === 1,
  };
}

function optional<K extends string, V>(key: K, value: unknown, read: (value: unknown) => V): { [P in K]?: V } {
  return value === null || value === undefined ? {} : ({ [key]: read(value) } as { [P in K]?: V });
}

function text(value: unknown): string {
  return String(value);
}

function json<T>(value: unknown): T {
  return JSON.parse(String(value)) as T;
}
