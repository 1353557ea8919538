import type { Json } from "../../base/base.js";
import type { Reader } from "../../storage/storage.js";
import { findMemoryOrForgotten, notFoundHere } from "../read/get-memory.js";
import type { MemoryRecord } from "../memory.js";
import { findProject, type ProjectContext } from "../../project/project.js";
import { readFields, type ChangeVerb } from "./stored-changes.js";

/** One step in the life of a memory. */
export interface HistoryEntry {
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
export async function readHistory(context: ProjectContext, reference: string): Promise<HistoryEntry[]> {
  return context.store.read(async (reader) => {
    const now = context.now();
    const { project } = await findProject(reader, context.project);
    const found = project && (await findMemoryOrForgotten(reader, project, reference, now));
    if (!found) throw await notFoundHere(reader, project, reference, now);
    return listChanges(reader, found.key, found.record);
  });
}

async function listChanges(reader: Reader, key: number, record: MemoryRecord): Promise<HistoryEntry[]> {
  const rows = await reader.rows(
    `SELECT c.number, c.verb, c.changed_at, c.fields,
       (SELECT json_group_array(m.id) FROM memory_changes AS o JOIN memories AS m ON m.key = o.memory_key
        WHERE o.operation = c.operation AND o.memory_key <> c.memory_key) AS others
     FROM memory_changes AS c WHERE c.memory_key = :key ORDER BY c.number DESC`,
    { key },
  );
  const changes = rows.map((row): HistoryEntry => ({
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
