import { filterConditions } from "../../memory/memory-filter.js";
import { keyRange, listByKeys } from "../../memory/memory-queries.js";
import type { Memory, MemoryFilter } from "../../memory/memory.js";
import { findProject, type Project, type ProjectHint } from "../../memory/projects.js";
import type { Reader, Writer } from "../../storage/storage.js";

/** Every memory of the project, whatever became of it, that has one of these short ids or says one of these texts. */
export async function listMeant(
  reader: Reader,
  project: Project,
  { shortIds, contentHashes }: { shortIds: string[]; contentHashes: string[] },
  now: Date,
): Promise<Memory[]> {
  const rows = await reader.rows(
    `SELECT key FROM memories WHERE project_number = :project
       AND substr(id, -8) IN (SELECT value FROM json_each(:shortIds))
     UNION
     SELECT key FROM memories WHERE project_number = :project
       AND content_hash IN (SELECT value FROM json_each(:contentHashes))
       AND type NOT IN ('conversation', 'archive')`,
    {
      project: project.number,
      shortIds: JSON.stringify(shortIds),
      contentHashes: JSON.stringify(contentHashes),
    },
  );
  const keys = rows.map((row) => Number(row["key"]));
  return (await listByKeys(reader, project, keys, now)).map(({ memory }) => memory);
}

/** Memories that a filter lets through, those first that are most worth telling; and how many there are in all. */
export async function listWorthiest(
  reader: Reader,
  project: Project,
  filter: MemoryFilter,
  most: number,
  now: Date,
): Promise<{ memories: Memory[]; all: number }> {
  const { conditions, args } = filterConditions(filter, project, now);
  const where = conditions.join(" AND ");
  const rows = await reader.rows(
    `SELECT m.key, count(*) OVER () AS n FROM memories AS m WHERE ${where}
     ORDER BY m.pinned DESC, (m.user_verified = 1 OR m.source = 'user_taught') DESC, m.confidence DESC, m.access_count DESC,
       m.created_at DESC, m.key DESC
     LIMIT :most`,
    { ...args, most: BigInt(most) },
  );
  const keys = rows.map((row) => Number(row["key"]));
  const memories = (await listByKeys(reader, project, keys, now)).map(({ memory }) => memory);
  return { memories, all: Number(rows[0]?.["n"] ?? 0) };
}

/** Is another one as soon as anything in these projects was kept, changed or removed; uses do not count. */
export async function findStateMark(reader: Reader, hints: ProjectHint[]): Promise<string> {
  const marks: string[] = [];
  for (const hint of hints) {
    const { project } = await findProject(reader, hint);
    const [row] = await reader.rows(
      `SELECT count(*) AS n, max(updated_at) AS at, max(key) AS last,
         (SELECT count(*) FROM memory_changes WHERE memory_key BETWEEN :first AND :last) AS changes
       FROM memories WHERE project_number = :project`,
      project ? { project: project.number, ...keyRange(project) } : { project: 0, first: 0, last: 0 },
    );
    marks.push([project?.id, row?.["n"], row?.["at"], row?.["last"], row?.["changes"]].join(" "));
  }
  return marks.join("\n");
}

export interface UnnotedArchive {
  key: number;
  archive: Memory;
  /** ISO 8601, as the archive says it. */
  archivedAt: string;
}

/** Archives that HISTORY.md does not tell yet, oldest first. */
export async function listUnnoted(
  reader: Reader,
  project: Project,
  limit: number,
  now: Date,
): Promise<UnnotedArchive[]> {
  const rows = await reader.rows(
    `SELECT a.memory_key, a.archived_at
     FROM conversations AS c JOIN conversation_archives AS a ON a.conversation_number = c.number
       JOIN memories AS m ON m.key = a.memory_key
     WHERE c.project_number = :project AND a.noted_at IS NULL AND m.forgotten_at IS NULL
     ORDER BY a.archived_at, a.memory_key
     LIMIT :limit`,
    { project: project.number, limit },
  );
  const times = new Map(rows.map((row) => [Number(row["memory_key"]), String(row["archived_at"])]));
  const archives = await listByKeys(reader, project, [...times.keys()], now);
  return archives.map(({ key, memory }) => ({ key, archive: memory, archivedAt: times.get(key) ?? memory.createdAt }));
}

/** Which of these archives HISTORY.md still does not tell. */
export async function listStillUnnoted(reader: Reader, project: Project, keys: number[]): Promise<Set<number>> {
  const rows = await reader.rows(
    `SELECT memory_key FROM conversation_archives
     WHERE memory_key IN (SELECT value FROM json_each(:keys)) AND memory_key BETWEEN :first AND :last
       AND noted_at IS NULL`,
    { keys: JSON.stringify(keys), ...keyRange(project) },
  );
  return new Set(rows.map((row) => Number(row["memory_key"])));
}

export async function markNoted(writer: Writer, keys: number[], now: Date): Promise<void> {
  await writer.run(
    "UPDATE conversation_archives SET noted_at = :now WHERE memory_key IN (SELECT value FROM json_each(:keys))",
    { now: now.toISOString(), keys: JSON.stringify(keys) },
  );
}
