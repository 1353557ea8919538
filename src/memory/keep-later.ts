import type { Json } from "../base/base.js";
import type { FieldChanges, StoredChange } from "./history.js";
import { ownId, resolveIds } from "./identify-records.js";
import { insertRelations } from "./insert-records.js";
import type { Keeping } from "./keeping.js";
import { keyRange } from "./memory-queries.js";
import type { Relation } from "./memory.js";
import type { PreparedRecord } from "./prepare-record.js";
import { replaceOlder } from "./replace-older.js";

/** What waits until every record has a row, because it leads to other records. */
export interface KeptLater {
  key: number;
  relations: Relation[];
  supersededBy?: string;
  history: StoredChange[];
  /** The id of the memory under this key, where a record was merged into it. */
  mergedInto?: string;
  /** The record that is to take the place of the one under this key. */
  newer?: PreparedRecord;
}

/**
 * Writes what leads from one record to another, and puts newer records in the place of older ones. What leads to
 * something that is not in the project is dropped.
 */
export async function keepLater(keeping: Keeping, page: KeptLater[]): Promise<void> {
  const ids = await resolveIds(keeping, [...new Set(page.flatMap(leadsTo))]);
  const resolved = page.map((later) => resolve(later, ids));
  for (const later of resolved) if (later.newer) await replaceOlder(keeping, { ...later, newer: later.newer });

  const links = resolved.filter(({ newer }) => newer === undefined);
  await insertRelations(keeping.writer, links);
  await supersede(keeping, links);
  await insertHistory(keeping, links);
}

/** The ids of all memories that are mentioned. */
function leadsTo({ relations, supersededBy, history }: KeptLater): string[] {
  const told = history.flatMap(({ fields }): Json[] => [
    ...(fields["supersededBy"] ?? []),
    ...(fields["relations"] ?? []).flatMap((list) => (Array.isArray(list) ? list : [])).map(targetOf),
  ]);
  return [supersededBy, ...relations.map(({ memory }) => memory), ...told].filter(
    (id): id is string => typeof id === "string",
  );
}

function resolve(later: KeptLater, ids: Map<string, string>): KeptLater {
  const { supersededBy: successor, ...others } = later;
  const supersededBy = successor === undefined ? undefined : ids.get(successor);
  return {
    ...others,
    ...(supersededBy !== undefined && { supersededBy }),
    relations: later.relations.flatMap((relation) => {
      if (relation.memory === undefined) return [relation];
      const memory = ids.get(relation.memory);
      // Two records that led to each other may have become one memory.
      return memory === undefined || memory === later.mergedInto ? [] : [{ ...relation, memory }];
    }),
    history: later.history.map((change) => ({ ...change, fields: retell(change.fields, ids) })),
  };
}

/** History under the ids of today. It may tell of memories that are no longer there, and came in a file. */
function retell(fields: FieldChanges, ids: Map<string, string>): FieldChanges {
  const today = (id: Json): Json => (typeof id === "string" ? (ids.get(id) ?? id) : id);
  const related = (list: Json): Json =>
    Array.isArray(list)
      ? list.map((one) => (targetOf(one) === null ? one : Object.assign({}, one, { memory: today(targetOf(one)) })))
      : list;
  const { supersededBy, relations } = fields;
  return {
    ...fields,
    ...(supersededBy && { supersededBy: [today(supersededBy[0]), today(supersededBy[1])] }),
    ...(relations && { relations: [related(relations[0]), related(relations[1])] }),
  };
}

/** The memory that a relation leads to; null for one to a file, and for what is no relation. */
function targetOf(relation: Json): Json {
  return typeof relation === "object" && relation !== null && "memory" in relation ? relation["memory"] : null;
}

async function supersede({ writer }: Keeping, links: KeptLater[]): Promise<void> {
  const rows = links.flatMap(({ key, supersededBy }) => (supersededBy === undefined ? [] : [[key, supersededBy]]));
  if (rows.length === 0) return;
  await writer.run(
    `UPDATE memories SET superseded_by = link.value ->> 1 FROM json_each(:rows) AS link
     WHERE memories.key = link.value ->> 0`,
    { rows: JSON.stringify(rows) },
  );
}

async function insertHistory(keeping: Keeping, links: KeptLater[]): Promise<void> {
  const changes = links.flatMap(({ key, history }) => history.map((change) => ({ key, ...change })));
  if (changes.length === 0) return;
  const elsewhere = await listForeignOperations(
    keeping,
    changes.map(({ operation }) => operation),
  );
  const rows = changes.map(({ key, number, verb, at, operation, fields }) => [
    key,
    number,
    verb,
    at,
    elsewhere.has(operation) ? ownId(keeping, operation) : operation,
    JSON.stringify(fields),
  ]);
  await keeping.writer.run(
    `INSERT INTO memory_changes (memory_key, number, verb, changed_at, operation, fields)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 FROM json_each(:rows)`,
    { rows: JSON.stringify(rows) },
  );
}

/** What happened at once in another project did not happen at once with anything here. */
async function listForeignOperations({ writer, project }: Keeping, operations: string[]): Promise<Set<string>> {
  const rows = await writer.rows(
    `SELECT DISTINCT c.operation FROM json_each(:operations) AS wanted
     CROSS JOIN memory_changes AS c ON c.operation = wanted.value
     WHERE c.memory_key NOT BETWEEN :first AND :last`,
    { operations: JSON.stringify([...new Set(operations)]), ...keyRange(project) },
  );
  return new Set(rows.map((row) => String(row["operation"])));
}
