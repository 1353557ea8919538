import { newId } from "../base/ids.js";
import type { Json } from "../base/base.js";
import type { Reader, Row, Writer } from "../storage/storage.js";
import { findMemoryOrForgotten, notFoundHere } from "./get-memory.js";
import { listByKeys } from "./memory-queries.js";
import type { MemoryRecord } from "./memory.js";
import type { ProjectContext } from "../project/project-context.js";
import { findProject, type Project } from "../project/projects.js";
import { readJson } from "./sound-json.js";

/** What happened to a memory. */
export type ChangeVerb =
  | "remembered"
  | "merged"
  | "edited"
  | "renamed"
  | "aliased"
  | "unaliased"
  | "related"
  | "unrelated"
  | "superseded"
  | "contradicted"
  | "pinned"
  | "unpinned"
  | "verified"
  | "settled"
  | "doubted"
  | "flagged"
  | "forgotten"
  | "restored"
  | "faded"
  | "evicted"
  | "imported"
  | "shared"
  | "moved"
  | "undone";

/** One step in the life of a memory. */
export interface Change {
  /** 1 is its remembering. */
  number: number;
  verb: ChangeVerb;
  at: string;
  /** Each field that changed; what was or became absent is left out. */
  fields: Record<string, { before?: Json; after?: Json }>;
  /** The other memories that the same operation changed; undoing it undoes it for them too. */
  alsoChanged: string[];
}

/** Every change of a memory, newest first. A forgotten memory has its history as well. */
export async function history(context: ProjectContext, reference: string): Promise<Change[]> {
  return context.store.read(async (reader) => {
    const now = context.now();
    const { project } = await findProject(reader, context.project);
    const found = project && (await findMemoryOrForgotten(reader, project, reference, now));
    if (!found) throw await notFoundHere(reader, project, reference, now);
    return listChanges(reader, found.key, found.record);
  });
}

async function listChanges(reader: Reader, key: number, record: MemoryRecord): Promise<Change[]> {
  const rows = await reader.rows(
    `SELECT c.number, c.verb, c.changed_at, c.fields,
       (SELECT json_group_array(m.id) FROM memory_changes AS o JOIN memories AS m ON m.key = o.memory_key
        WHERE o.operation = c.operation AND o.memory_key <> c.memory_key) AS others
     FROM memory_changes AS c WHERE c.memory_key = :key ORDER BY c.number DESC`,
    { key },
  );
  const changes = rows.map((row): Change => ({
    number: Number(row["number"]),
    verb: String(row["verb"]) as ChangeVerb,
    at: String(row["changed_at"]),
    fields: Object.fromEntries(
      Object.entries(readFields(row)).map(([field, [before, after]]) => [
        field,
        { ...(before !== null && { before }), ...(after !== null && { after }) },
      ]),
    ),
    alsoChanged: JSON.parse(String(row["others"])) as string[],
  }));
  if (changes.at(-1)?.number === 1) return changes;
  return [...changes, { number: 1, verb: "remembered", at: record.storedAt, fields: {}, alsoChanged: [] }];
}

/** Of each field what it was and what it became; null for absent. */
export type FieldChanges = Record<string, [before: Json, after: Json]>;

/** A change as it travels. */
export interface StoredChange {
  number: number;
  verb: ChangeVerb;
  at: string;
  operation: string;
  fields: FieldChanges;
}

/** The changes of memories as they are stored, oldest first, by the key of the memory. */
export async function listStoredChanges(reader: Reader, keys: number[]): Promise<Map<number, StoredChange[]>> {
  const rows = await reader.rows(
    `SELECT memory_key, number, verb, changed_at, operation, fields FROM memory_changes
     WHERE memory_key IN (SELECT value FROM json_each(:keys)) ORDER BY memory_key, number`,
    { keys: JSON.stringify(keys) },
  );
  const byMemory = new Map<number, StoredChange[]>();
  for (const row of rows) {
    const key = Number(row["memory_key"]);
    const change: StoredChange = {
      number: Number(row["number"]),
      verb: String(row["verb"]) as ChangeVerb,
      at: String(row["changed_at"]),
      operation: String(row["operation"]),
      fields: readFields(row),
    };
    byMemory.set(key, [...(byMemory.get(key) ?? []), change]);
  }
  return byMemory;
}

/** A step whose fields are damaged is still one; see `damaged-memories.ts`. */
function readFields(row: Row): FieldChanges {
  return readJson("fields", row["fields"] ?? null) as FieldChanges;
}

export interface Operation {
  verb: ChangeVerb;
  /** The memories it may change. */
  keys: number[];
  /** Where its id is known before; the same one may be noted in several parts. */
  id?: string;
  now: Date;
}

/**
 * Does the work and notes what it changed about each memory, so that it can be shown and undone. What one operation does
 * to several memories is one step. `created` tells of a memory that came into being by the way.
 */
export async function noteChanges<T>(
  writer: Writer,
  project: Project,
  { verb, keys, now, id = newId(now) }: Operation,
  work: (created: (key: number) => void) => Promise<T>,
): Promise<T> {
  const before = new Map((await listByKeys(writer, project, keys, now)).map(({ key, record }) => [key, record]));
  const born: number[] = [];
  const result = await work((key) => born.push(key));
  const after = await listByKeys(writer, project, [...before.keys()], now);
  const changed = after
    .map(({ key, record }) => ({ key, verb, fields: compare(before.get(key) as MemoryRecord, record) }))
    .filter(({ fields }) => Object.keys(fields).length > 0);
  await note(writer, [...changed, ...born.map((key) => ({ key, verb: "remembered" as const, fields: {} }))], id, now);
  return result;
}

/** With one statement, because an operation may change many memories, and a server may be far away. */
async function note(
  writer: Writer,
  changes: { key: number; verb: ChangeVerb; fields: FieldChanges }[],
  operation: string,
  now: Date,
): Promise<void> {
  if (changes.length === 0) return;
  await writer.run(
    // Remembering is number 1, whether or not it is noted.
    `INSERT INTO memory_changes (memory_key, number, verb, changed_at, operation, fields)
     SELECT value ->> 0,
       CASE value ->> 1 WHEN 'remembered' THEN 1
         ELSE (SELECT ifnull(max(number), 1) + 1 FROM memory_changes WHERE memory_key = value ->> 0) END,
       value ->> 1, :now, :operation, value ->> 2
     FROM json_each(:changes)`,
    {
      changes: JSON.stringify(changes.map(({ key, verb, fields }) => [key, verb, JSON.stringify(fields)])),
      now: now.toISOString(),
      operation,
    },
  );
}

/** What follows from use or from the change itself is no change of its own. */
const untold = new Set<string>([
  "accessCount",
  "usesSinceCorrection",
  "lastAccessedAt",
  "storedAt",
  "updatedAt",
] satisfies (keyof MemoryRecord)[]);

function compare(before: MemoryRecord, after: MemoryRecord): FieldChanges {
  const [old, next] = [toldOf(before), toldOf(after)];
  const fields = [...new Set([...Object.keys(old), ...Object.keys(next)])].filter((field) => !untold.has(field));
  return Object.fromEntries(
    fields
      .filter((field) => JSON.stringify(old[field]) !== JSON.stringify(next[field]))
      .map((field) => [field, [old[field] ?? null, next[field] ?? null]]),
  );
}

/** A record without the links that Tacit finds by itself and that follow from the text; that it replaced another stays. */
export function toldOf(record: MemoryRecord): Record<string, Json> {
  const relations = record.relations.filter(({ automatic, kind }) => !automatic || kind === "supersedes");
  return { ...record, relations } as unknown as Record<string, Json>;
}
