import type { Json } from "../../base/base.js";
import { elements, type FieldChanges, type StoredChange } from "../../memory/history/history.js";
import type { Relation } from "../../memory/memory.js";
import { resolveIds } from "./identify-records.js";
import { rewriteHistory } from "./insert-history.js";
import { insertRelations } from "./insert-records.js";
import type { Intake } from "./begin-intake.js";
import type { PreparedRecord } from "./prepare-record.js";
import { replaceOlder } from "./replace-older.js";

/** What waits until every record has a row, because it leads to other records. */
export interface DeferredRecord {
  key: number;
  relations: Relation[];
  supersededBy?: string;
  /** Of what was inserted, the changes that lead to other memories, by the ids of where they come from. */
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
export async function storeDeferred(keeping: Intake, page: DeferredRecord[]): Promise<void> {
  const ids = await resolveIds(keeping, [...new Set(page.flatMap(leadsTo))]);
  const resolved = page.map((later) => resolve(later, ids));
  const newcomers = resolved.filter(({ newer, mergedInto }) => newer === undefined && mergedInto === undefined);
  await insertRelations(keeping.writer, newcomers);
  await supersede(keeping, newcomers);
  await rewriteHistory(
    keeping,
    newcomers.flatMap(({ key, history }) => history.map((change) => ({ key, ...change }))),
  );
  for (const later of resolved) if (later.newer) await replaceOlder(keeping, { ...later, newer: later.newer });
  // After what replaces all relations.
  await insertRelations(
    keeping.writer,
    resolved.filter(({ mergedInto }) => mergedInto !== undefined),
  );
}

/** The ids of all memories that are mentioned. */
export function leadsTo({ relations, supersededBy, history }: DeferredRecord): string[] {
  const told = history.flatMap(({ fields }) => [
    ...(fields["supersededBy"] ?? []),
    ...(fields["relations"] ?? []).flatMap((list) => elements<Relation>(list)).map(({ memory }) => memory),
  ]);
  return [supersededBy, ...relations.map(({ memory }) => memory), ...told].filter((id) => typeof id === "string");
}

function resolve(later: DeferredRecord, ids: Map<string, string>): DeferredRecord {
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

/** History under the ids of today. It may tell of memories that are no longer there. */
function retell(fields: FieldChanges, ids: Map<string, string>): FieldChanges {
  const today = (id: Json): Json => (typeof id === "string" ? (ids.get(id) ?? id) : id);
  const related = (list: Json): Json =>
    elements<{ memory?: string }>(list).map((one) =>
      one.memory === undefined ? one : { ...one, memory: today(one.memory) },
    );
  const { supersededBy, relations } = fields;
  return {
    ...fields,
    ...(supersededBy && { supersededBy: [today(supersededBy[0]), today(supersededBy[1])] }),
    ...(relations && { relations: [related(relations[0]), related(relations[1])] }),
  };
}

async function supersede({ writer }: Intake, links: DeferredRecord[]): Promise<void> {
  const rows = links.flatMap(({ key, supersededBy }) => (supersededBy === undefined ? [] : [[key, supersededBy]]));
  if (rows.length === 0) return;
  await writer.run(
    `UPDATE memories SET superseded_by = link.value ->> 1 FROM json_each(:rows) AS link
     WHERE memories.key = link.value ->> 0`,
    { rows: JSON.stringify(rows) },
  );
}
