import type { Row, SqlArgs } from "../../storage/storage.js";
import { asText, enumerated, readJson } from "./sound-json.js";
import type { MemoryRecord, Relation, Review } from "../memory.js";

type Value = string | number | null;

interface Column {
  column: string;
  kind: "plain" | "json";
  /** From the database. */
  read: (value: Value) => unknown;
  /** Into the database. */
  write: (value: unknown) => Value | bigint;
}

const text = (column: string): Column => ({
  column,
  kind: "plain",
  read: (value) => value,
  write: (value) => value as Value,
});
const json = (column: string): Column => ({
  column,
  kind: "json",
  read: (value) => readJson(column, value),
  write: (value) => JSON.stringify(value),
});
const flag = (column: string): Column => ({
  column,
  kind: "plain",
  read: (value) => value === 1,
  // A number would be bound as REAL.
  write: (value) => (value === true ? 1n : 0n),
});
const count = (column: string): Column => ({
  column,
  kind: "plain",
  read: (value) => value,
  write: (value) => BigInt(value as number),
});

/** Every field that is one column of `memories`. Names, relations and the review are kept otherwise; see below. */
const columns: Record<Exclude<keyof MemoryRecord, "name" | "aliases" | "relations" | "review">, Column> = {
  id: text("id"),
  type: text("type"),
  content: text("content"),
  data: json("data"),
  metadata: json("metadata"),
  tags: json("tags"),
  relatedFiles: json("related_files"),
  relatedModules: json("related_modules"),
  confidence: text("confidence"),
  scope: text("scope"),
  visibility: text("visibility"),
  source: text("source"),
  sessionId: text("session_id"),
  agent: text("agent"),
  commit: text("commit_sha"),
  branch: text("branch"),
  provenanceSessionIds: json("provenance"),
  graphNodes: json("graph_nodes"),
  halfLifeDays: text("half_life_days"),
  expiresAt: text("expires_at"),
  validFrom: text("valid_from"),
  validUntil: text("valid_until"),
  supersededBy: text("superseded_by"),
  trustFlags: json("trust_flags"),
  userVerified: flag("user_verified"),
  pinned: flag("pinned"),
  citationText: text("citation_text"),
  workUnit: json("work_unit"),
  methodology: text("methodology"),
  chunk: json("chunk"),
  accessCount: count("access_count"),
  usesSinceCorrection: count("uses_since_correction"),
  lastAccessedAt: text("last_accessed_at"),
  createdAt: text("created_at"),
  storedAt: text("stored_at"),
  updatedAt: text("updated_at"),
  forgottenAt: text("forgotten_at"),
  forgottenReason: text("forgotten_reason"),
  releasedNames: json("released_names"),
};

const entries = Object.entries(columns) as [keyof typeof columns, Column][];

/** How each column is written. */
export const columnKinds: Readonly<Record<string, Column["kind"]>> = Object.fromEntries(
  entries.map(([, { column, kind }]) => [column, kind]),
);

/** The field that is kept in a column; undefined for one that holds only a part of a field. */
export function fieldOfColumn(name: string): keyof MemoryRecord | undefined {
  return entries.find(([, { column }]) => column === name)?.[0];
}

// JSON keeps 15 digits of a REAL, and a confidence may have 17.
const real = new Set(["confidence", "half_life_days"]);

/**
 * The columns of `memories AS m` that a record is read from, with its names and relations. Most of them as one list in JSON:
 * the driver takes longer for forty columns than SQLite and JSON.parse() together for one (10 memories: 0.7 and 0.3 ms).
 * Only damage makes a blob of a text, and JSON refuses one.
 */
export const recordColumns = `m.id, m.confidence, m.half_life_days, json_array(
    ${entries.map(([, { column }]) => (real.has(column) ? "NULL" : asText(`m.${column}`))).join(", ")}, m.review_state, m.review_reason,
    (SELECT n.name FROM memory_names AS n WHERE n.memory_key = m.key AND n.is_alias = 0),
    (SELECT json_group_array(n.name) FROM memory_names AS n WHERE n.memory_key = m.key AND n.is_alias = 1),
    (SELECT json_group_array(json_array(r.kind, r.target_memory, r.target_file, r.confidence, r.automatic))
       FROM memory_relations AS r WHERE r.memory_key = m.key)) AS fields`;

/** A record from its row. */
export function recordOf(row: Row): MemoryRecord {
  const record: Record<string, unknown> = {};
  const fields = JSON.parse(String(row["fields"])) as Value[];
  entries.forEach(([field, { column, kind, read }], index) => {
    const value = (real.has(column) ? row[column] : fields[index]) ?? null;
    const known = value === null && kind === "plain" ? null : read(value);
    if (known !== null) record[field] = known;
  });
  const [state, reason = null, name = null, aliases, relations] = fields.slice(entries.length);
  if (name !== null) record["name"] = name;
  record["aliases"] = listIn(aliases);
  record["relations"] = listIn<RelationTuple>(relations).map(toRelation);
  record["review"] = { state, ...(reason !== null && { reason }) };
  if (isUnsound(record, state))
    record["review"] = { state: "flagged", reason: "The disk damaged it; see tacit doctor." };
  return record as unknown as MemoryRecord;
}

/** What decides who may see a memory and whether it is trusted must be what was written, or it decides nothing. */
function isUnsound(record: Record<string, unknown>, state: unknown): boolean {
  const isKnown = (column: string, value: unknown) => enumerated[column]?.includes(String(value)) ?? true;
  return (
    !isKnown("review_state", state) ||
    ["visibility", "scope", "source"].some((column) => !isKnown(column, record[column])) ||
    ["id", "type"].some((field) => String(record[field]).includes("\uFFFD"))
  );
}

/** SQLite may hand a list within a list on as text. */
function listIn<T>(value: unknown): T[] {
  return (typeof value === "string" ? JSON.parse(value) : value) as T[];
}

/** The columns that hold these fields, with their values; a field that is undefined becomes NULL. */
export function columnsOf(fields: Partial<Record<keyof MemoryRecord, unknown>>): SqlArgs {
  const args: SqlArgs = {};
  for (const [field, { column, write }] of entries) {
    if (field in fields) args[column] = fields[field] === undefined ? null : write(fields[field]);
  }
  if ("review" in fields) {
    const { state, reason } = fields.review as Review;
    args["review_state"] = state;
    args["review_reason"] = reason ?? null;
  }
  return args;
}

type RelationTuple = [Relation["kind"], string | null, string | null, number, number];

function toRelation([kind, memory, file, confidence, automatic]: RelationTuple): Relation {
  return {
    kind,
    ...(memory !== null && { memory }),
    ...(file !== null && { file }),
    confidence,
    automatic: automatic === 1,
  };
}
