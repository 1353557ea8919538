import { createHash } from "node:crypto";
import { filterConditions, keyRange, listByKeys } from "../../memory/read/read.js";
import type { Memory, MemoryFilter } from "../../memory/memory.js";
import type { Project } from "../../project/project.js";
import type { Reader, Writer } from "../../storage/storage.js";

/** Every memory of the project, whatever became of it, that has one of these short ids or says one of these texts. */
export async function listReferenced(
  reader: Reader,
  project: Project,
  { shortIds, contentHashes }: { shortIds: string[]; contentHashes: string[] },
  now: Date,
): Promise<Memory[]> {
  // The plus keeps SQLite from walking the whole project instead of looking the short ids up.
  const byId = await reader.rows(
    `SELECT key FROM memories
     WHERE +project_number = :project AND substr(id, -8) IN (SELECT value FROM json_each(:shortIds))`,
    { project: project.number, shortIds: JSON.stringify(shortIds) },
  );
  const byText = await reader.rows(
    `SELECT key FROM memories
     WHERE project_number = :project AND content_hash IN (SELECT value FROM json_each(:contentHashes))
       AND type NOT IN ('conversation', 'archive')`,
    { project: project.number, contentHashes: JSON.stringify(contentHashes) },
  );
  const keys = new Set([...byId, ...byText].map((row) => Number(row["key"])));
  return (await listByKeys(reader, project, [...keys], now)).map(({ memory }) => memory);
}

// Else SQLite may walk every turn of the project. It refuses to, unless this is what the index says, word for word.
const memoriesByWorth = "memories AS m INDEXED BY memories_by_worth";
const mayBeWorth = "m.type NOT IN ('conversation', 'archive') AND m.forgotten_at IS NULL AND m.valid_until IS NULL";
const byWorth = `m.pinned DESC, m.confidence DESC, (m.user_verified = 1 OR m.source = 'user_taught') DESC,
       m.access_count DESC, m.created_at DESC, m.key DESC`;

/** Memories that a filter lets through, those first that are most worth telling: as many as asked for, after so many. */
export async function listWorthiest(
  reader: Reader,
  project: Project,
  filter: MemoryFilter,
  { after, most }: { after: number; most: number },
  now: Date,
): Promise<Memory[]> {
  const { conditions, args } = filterConditions(filter, project, now);
  const rows = await reader.rows(
    `SELECT m.key FROM ${memoriesByWorth} WHERE ${conditions.join(" AND ")} AND ${mayBeWorth}
     ORDER BY ${byWorth} LIMIT :most OFFSET :after`,
    { ...args, most: BigInt(most), after: BigInt(after) },
  );
  const keys = rows.map((row) => Number(row["key"]));
  return (await listByKeys(reader, project, keys, now)).map(({ memory }) => memory);
}

/** How many there are in all. */
export async function countWorth(reader: Reader, project: Project, filter: MemoryFilter, now: Date): Promise<number> {
  const { conditions, args } = filterConditions(filter, project, now);
  const [row] = await reader.rows(
    `SELECT count(*) AS n FROM ${memoriesByWorth} WHERE ${conditions.join(" AND ")} AND ${mayBeWorth}`,
    args,
  );
  return Number(row?.["n"] ?? 0);
}

export interface UnnotedArchive {
  key: number;
  archive: Memory;
  /** ISO 8601, as the archive says it. */
  archivedAt: string;
  /** It was noted before, in another folder or in a file that is gone: it may be anywhere in what lies here. */
  isAgain: boolean;
}

/** Archives that HISTORY.md of a folder does not tell yet, oldest first. */
export async function listUnnoted(
  reader: Reader,
  project: Project,
  { folder, limit }: { folder: string; limit: number },
  now: Date,
): Promise<UnnotedArchive[]> {
  const rows = await reader.rows(
    `SELECT a.memory_key, a.archived_at, a.noted_at IS NOT NULL AS is_again
     FROM conversations AS c JOIN conversation_archives AS a ON a.conversation_number = c.number
       JOIN memories AS m ON m.key = a.memory_key
     WHERE c.project_number = :project AND a.noted_in IS NOT :folder AND m.forgotten_at IS NULL
     ORDER BY a.archived_at, a.memory_key
     LIMIT :limit`,
    { project: project.number, folder, limit },
  );
  const found = new Map(rows.map((row) => [Number(row["memory_key"]), row]));
  const archives = await listByKeys(reader, project, [...found.keys()], now);
  return archives.map(({ key, memory }) => ({
    key,
    archive: memory,
    archivedAt: String(found.get(key)?.["archived_at"] ?? memory.createdAt),
    isAgain: found.get(key)?.["is_again"] === 1,
  }));
}

/** Which of these archives HISTORY.md of a folder still does not tell. */
export async function listStillUnnoted(
  reader: Reader,
  project: Project,
  { folder, keys }: { folder: string; keys: number[] },
): Promise<Set<number>> {
  const rows = await reader.rows(
    `SELECT memory_key FROM conversation_archives
     WHERE memory_key IN (SELECT value FROM json_each(:keys)) AND memory_key BETWEEN :first AND :last
       AND noted_in IS NOT :folder`,
    { keys: JSON.stringify(keys), folder, ...keyRange(project) },
  );
  return new Set(rows.map((row) => Number(row["memory_key"])));
}

export async function markNoted(writer: Writer, keys: number[], folder: string, now: Date): Promise<void> {
  await writer.run(
    `UPDATE conversation_archives SET noted_at = :now, noted_in = :folder
     WHERE memory_key IN (SELECT value FROM json_each(:keys))`,
    { now: now.toISOString(), folder, keys: JSON.stringify(keys) },
  );
}

/** Whether HISTORY.md of a folder should tell any archive of the project. */
export async function isAnyNotedIn(reader: Reader, project: Project, folder: string): Promise<boolean> {
  const rows = await reader.rows(
    "SELECT 1 FROM conversation_archives WHERE memory_key BETWEEN :first AND :last AND noted_in = :folder LIMIT 1",
    { folder, ...keyRange(project) },
  );
  return rows.length > 0;
}

/** The file in which they were noted is gone. */
export async function markLost(writer: Writer, project: Project, folder: string): Promise<void> {
  await writer.run(
    "UPDATE conversation_archives SET noted_in = NULL WHERE memory_key BETWEEN :first AND :last AND noted_in = :folder",
    { folder, ...keyRange(project) },
  );
}

export async function isFolderNoted(reader: Reader, project: Project, folder: string): Promise<boolean> {
  const rows = await reader.rows("SELECT 1 FROM layer_folders WHERE project_number = :project AND folder = :folder", {
    project: project.number,
    folder,
  });
  return rows.length > 0;
}

export async function noteFolder(writer: Writer, project: Project, folder: string): Promise<void> {
  await writer.run(
    "INSERT INTO layer_folders (project_number, folder) VALUES (:project, :folder) ON CONFLICT DO NOTHING",
    { project: project.number, folder },
  );
}

/** Notes that the files about a project may have something to tell; what holds everywhere stands in those of every project. */
export async function addFileChange(writer: Writer, project: Project): Promise<void> {
  await writer.run(
    "UPDATE layer_folders SET changes = changes + 1 WHERE project_number = :project OR :project_id = 'user'",
    { project: project.number, project_id: project.id },
  );
}

/** How many changes there were, and up to which of them the files in a folder tell. Undefined for a folder that was never noted. */
export async function findFileChanges(
  reader: Reader,
  project: Project,
  folder: string,
): Promise<{ changes: number; written: number } | undefined> {
  const [row] = await reader.rows(
    "SELECT changes, written FROM layer_folders WHERE project_number = :project AND folder = :folder",
    { project: project.number, folder },
  );
  return row && { changes: Number(row["changes"]), written: Number(row["written"]) };
}

export async function noteWritten(writer: Writer, project: Project, folder: string, written: number): Promise<void> {
  await writer.run(
    `UPDATE layer_folders SET written = :written
     WHERE project_number = :project AND folder = :folder AND written < :written`,
    { project: project.number, folder, written },
  );
}

/** Every folder that files were ever written to, and the number of the project they are about. */
export async function listFolders(reader: Reader): Promise<{ project: number; folder: string }[]> {
  const rows = await reader.rows("SELECT project_number, folder FROM layer_folders ORDER BY project_number, folder");
  return rows.map((row) => ({ project: Number(row["project_number"]), folder: String(row["folder"]) }));
}

/** When the file in a folder and the store last said the same; undefined where that was never noted. */
export async function findLookedAt(reader: Reader, folder: string): Promise<Date | undefined> {
  const [row] = await reader.rows("SELECT value FROM store_state WHERE name = :name", { name: lookedAtName(folder) });
  return row && new Date(String(row["value"]));
}

export async function writeLookedAt(writer: Writer, folder: string, at: Date): Promise<void> {
  await writer.run(
    "INSERT INTO store_state (name, value) VALUES (:name, :at) ON CONFLICT (name) DO UPDATE SET value = :at",
    { name: lookedAtName(folder), at: at.toISOString() },
  );
}

/** By its hash: where a purged project had its files is nobody's business. */
function lookedAtName(folder: string): string {
  return `memory_file:${createHash("sha256").update(folder).digest("hex").slice(0, 16)}`;
}
