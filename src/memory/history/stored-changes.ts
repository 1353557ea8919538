import type { Json } from "../../base/base.js";
import type { Reader, Row } from "../../storage/storage.js";
import { readJson } from "../record/sound-json.js";

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

/** The fields of a change. One whose fields are damaged is still a change; see `damaged-memories.ts`. */
export function readFields(row: Row): FieldChanges {
  return readJson("fields", row["fields"] ?? null) as FieldChanges;
}
