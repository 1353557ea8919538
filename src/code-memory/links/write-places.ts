import type { Writer } from "../../storage/storage.js";
import { statedFields } from "../../memory/history/history.js";
import type { KeyedMemory } from "../../memory/read/read.js";
import type { Relation } from "../../memory/memory.js";
import type { Project } from "../../project/project.js";
import { wordColumns } from "../../memory/indexes/indexes.js";

/** A memory as it was read, and the code that it is to name. */
export interface Places {
  memory: KeyedMemory;
  relatedFiles: string[];
  graphNodes: string[];
  relations: Relation[];
}

/**
 * Lets memories name other code, and brings their words and facets in step. A few statements for all of them: a folder
 * that was renamed may concern thousands, and others wait meanwhile.
 */
export async function writePlaces(writer: Writer, project: Project, changed: Places[], now: Date): Promise<void> {
  await writeRelations(writer, changed);
  // What Tacit found by itself is no change of a memory.
  const told = changed.filter(({ memory: { record }, relatedFiles, graphNodes, relations }) => {
    const next = { ...record, relatedFiles, graphNodes, relations };
    return JSON.stringify(statedFields(record)) !== JSON.stringify(statedFields(next));
  });
  if (told.length === 0) return;
  const keys = JSON.stringify(told.map(({ memory }) => memory.key));
  await writer.run(
    `UPDATE memories SET related_files = next.value ->> 1, graph_nodes = next.value ->> 2, updated_at = :now
     FROM json_each(:rows) AS next WHERE memories.key = next.value ->> 0`,
    {
      rows: JSON.stringify(
        told.map(({ memory, relatedFiles, graphNodes }) => [
          memory.key,
          JSON.stringify(relatedFiles),
          JSON.stringify(graphNodes),
        ]),
      ),
      now: now.toISOString(),
    },
  );
  await writer.run(
    `UPDATE memory_words SET files = next.value ->> 1
     FROM json_each(:rows) AS next WHERE memory_words.rowid = next.value ->> 0`,
    {
      rows: JSON.stringify(
        told.map(({ memory, relatedFiles }) => [memory.key, wordColumns({ ...memory.record, relatedFiles }).files]),
      ),
    },
  );
  await writer.run(
    `DELETE FROM memory_facets
     WHERE memory_key IN (SELECT value FROM json_each(:keys)) AND kind IN ('file', 'node')`,
    { keys },
  );
  await writer.run(
    `INSERT INTO memory_facets (project_number, kind, value, memory_key)
     SELECT :project, value ->> 0, value ->> 1, value ->> 2 FROM json_each(:facets)`,
    {
      project: BigInt(project.number),
      facets: JSON.stringify(
        told.flatMap(({ memory: { key }, relatedFiles, graphNodes }) => [
          ...relatedFiles.map((file) => ["file", file, key]),
          ...graphNodes.map((node) => ["node", node, key]),
        ]),
      ),
    },
  );
}

/** First all that go, then all that come: one may take the place of another. What stays is not touched. */
async function writeRelations(writer: Writer, changed: Places[]): Promise<void> {
  const going = changed.flatMap(({ memory: { key, record }, relations }) => rowsOf(key, record.relations, relations));
  const coming = changed.flatMap(({ memory: { key, record }, relations }) => rowsOf(key, relations, record.relations));
  if (going.length > 0) {
    await writer.run(
      `DELETE FROM memory_relations WHERE rowid IN (
         SELECT r.rowid FROM json_each(:rows) AS gone CROSS JOIN memory_relations AS r
           ON r.memory_key = gone.value ->> 0 AND r.kind = gone.value ->> 1 AND r.target_file = gone.value ->> 2)`,
      { rows: JSON.stringify(going) },
    );
  }
  if (coming.length === 0) return;
  await writer.run(
    `INSERT INTO memory_relations (memory_key, kind, target_file, confidence, automatic)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(:rows)`,
    { rows: JSON.stringify(coming) },
  );
}

/** The relations to code of the first list that are not in the second. */
function rowsOf(key: number, relations: Relation[], others: Relation[]): [number, string, string, number, number][] {
  const known = new Set(others.map((relation) => JSON.stringify(relation)));
  return relations.flatMap((relation): [number, string, string, number, number][] => {
    const { kind, file, confidence, automatic } = relation;
    if (file === undefined || known.has(JSON.stringify(relation))) return [];
    return [[key, kind, file, confidence, automatic ? 1 : 0]];
  });
}
