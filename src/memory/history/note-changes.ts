import { newId } from "../../base/ids/ids.js";
import type { Json } from "../../base/base.js";
import type { Writer } from "../../storage/storage.js";
import type { MemoryWriter } from "../change/changed-memory.js";
import { listByKeys } from "../read/memory-queries.js";
import type { MemoryRecord } from "../memory.js";
import type { Project } from "../../project/project.js";
import type { ChangeVerb, FieldChanges } from "./stored-changes.js";

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
  writer: MemoryWriter,
  project: Project,
  { verb, keys, now, id = newId(now) }: Operation,
  work: (created: (key: number) => void) => Promise<T>,
): Promise<T> {
  const before = new Map((await listByKeys(writer, project, keys, now)).map(({ key, record }) => [key, record]));
  const born: number[] = [];
  const result = await work((key) => born.push(key));
  const after = await listByKeys(writer, project, [...before.keys()], now);
  const changed = after
    .map(({ key, record }) => ({ key, record, verb, fields: compare(before.get(key) as MemoryRecord, record) }))
    .filter(({ fields }) => Object.keys(fields).length > 0);
  for (const { key, record, fields } of changed) writer.changes.changed(project, key, record, Object.keys(fields));
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
  const [old, next] = [statedFields(before), statedFields(after)];
  const fields = [...new Set([...Object.keys(old), ...Object.keys(next)])].filter((field) => !untold.has(field));
  return Object.fromEntries(
    fields
      .filter((field) => JSON.stringify(old[field]) !== JSON.stringify(next[field]))
      .map((field) => [field, [old[field] ?? null, next[field] ?? null]]),
  );
}

/** A record without the links that Tacit finds by itself and that follow from the text; that it replaced another stays. */
export function statedFields(record: MemoryRecord): Record<string, Json> {
  const relations = record.relations.filter(({ automatic, kind }) => !automatic || kind === "supersedes");
  return { ...record, relations } as unknown as Record<string, Json>;
}
