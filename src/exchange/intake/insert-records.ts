import type { MemoryWriter } from "../../memory/change/change.js";
import type { SqlArgs, Writer } from "../../storage/storage.js";
import { columnsOf } from "../../memory/record/record.js";
import type { MemoryRecord, Relation } from "../../memory/memory.js";
import type { Project } from "../../project/project.js";
import type { WordColumns } from "../../memory/indexes/indexes.js";

/** A record on its way into the store, under a key that nobody has. */
export interface AddedRecord {
  key: number;
  record: MemoryRecord;
  contentHash: string;
  words: WordColumns;
  /** Now, where another store had it before. */
  arrivedAt: string | null;
}

/**
 * Writes records with their words and facets, many with a statement: one by one, 100,000 took 33 seconds instead of 10
 * (2026-11). Names and relations are bound by their own functions.
 */
export async function insertRecords(writer: MemoryWriter, project: Project, added: AddedRecord[]): Promise<void> {
  const exact = added.filter(({ record }) => !survivesJson(record));
  await insertRows(
    writer,
    project,
    added.filter(({ record }) => survivesJson(record)),
  );
  for (const one of exact) await insertRows(writer, project, [one]);
  for (const { key, record } of added) writer.changes.created(project, key, record);

  await writer.run(
    `INSERT INTO memory_words (rowid, content, name, tags, files)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(:rows)`,
    {
      rows: JSON.stringify(
        added.map(({ key, words: { content, name, tags, files } }) => [key, content, name, tags, files]),
      ),
    },
  );
  await writer.run(
    `INSERT INTO memory_facets (project_number, kind, value, memory_key)
     SELECT m.project_number, 'tag', facet.value, m.key FROM memories AS m, json_each(m.tags) AS facet
     WHERE m.key BETWEEN :first AND :last
     UNION ALL
     SELECT m.project_number, 'file', facet.value, m.key FROM memories AS m, json_each(m.related_files) AS facet
     WHERE m.key BETWEEN :first AND :last
     UNION ALL
     SELECT m.project_number, 'module', facet.value, m.key FROM memories AS m, json_each(m.related_modules) AS facet
     WHERE m.key BETWEEN :first AND :last
     UNION ALL
     SELECT m.project_number, 'node', facet.value, m.key FROM memories AS m, json_each(m.graph_nodes) AS facet
     WHERE m.key BETWEEN :first AND :last`,
    { first: BigInt(added[0]?.key ?? 0), last: BigInt(added.at(-1)?.key ?? 0) },
  );
}

/** SQLite reads some of the longer decimals of JSON as their neighbour (1 in 10,000); bound, each is itself. */
function survivesJson({ confidence, halfLifeDays = 0 }: MemoryRecord): boolean {
  return [confidence, halfLifeDays].every((value) => Number(value.toFixed(6)) === value);
}

/** Many rows with one statement. */
async function insertRows(writer: Writer, project: Project, added: AddedRecord[]): Promise<void> {
  if (added.length === 0) return;
  const rows = added.map(({ key, record, contentHash, arrivedAt }) =>
    Object.assign(columnsOf(record), {
      key: BigInt(key),
      content_hash: contentHash,
      arrived_at: arrivedAt,
      // It may have no row yet.
      superseded_by: null,
    }),
  );
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const first = (column: string) => rows[0]?.[column] ?? null;
  // Taking a value out of JSON costs a microsecond. What is the same in all rows, most of the columns, is bound once.
  const varying = columns.filter((column) => rows.some((row) => (row[column] ?? null) !== first(column)));
  const shared = columns.filter((column) => !varying.includes(column));
  const values = [...varying.map((_, index) => `value ->> ${index}`), ...shared.map((column) => `:${column}`)];
  await writer.run(
    `INSERT INTO memories (project_number, ${[...varying, ...shared].join(", ")})
     SELECT :project, ${values.join(", ")} FROM json_each(:rows)`,
    {
      ...Object.fromEntries(shared.map((column) => [column, first(column)])),
      project: project.number,
      rows: JSON.stringify(rows.map((row) => varying.map((column) => inJson(row[column] ?? null)))),
    },
  );
}

function inJson(value: SqlArgs[string]): SqlArgs[string] {
  return typeof value === "bigint" ? Number(value) : value;
}

/** Relates memories to others and to files, which are known to be there. What a memory states already stays. */
export async function insertRelations(writer: Writer, links: { key: number; relations: Relation[] }[]): Promise<void> {
  const rows = links.flatMap(({ key, relations }) =>
    relations.map(({ kind, memory = null, file = null, confidence, automatic }) => [
      key,
      kind,
      memory,
      file,
      confidence,
      automatic ? 1 : 0,
    ]),
  );
  if (rows.length === 0) return;
  await writer.run(
    `INSERT INTO memory_relations (memory_key, kind, target_memory, target_file, confidence, automatic)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 FROM json_each(:rows) WHERE true
     ON CONFLICT DO NOTHING`,
    { rows: JSON.stringify(rows) },
  );
}
