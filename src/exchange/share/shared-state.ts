import type { Project } from "../../project/project.js";
import type { Reader, Writer } from "../../storage/storage.js";
import type { ShareProblem } from "../exchange.js";
import { hashOfText } from "./shared-folder.js";

/** How a file and its memory looked when they last agreed, in one work tree. */
export interface SharedState {
  root: string;
  pathHash: string;
  memoryId: string;
  /** The id in the file; another one where another project of this store has a memory of that id. */
  fileId: string;
  /** Of the file. */
  fileHash: string;
  /** Of the memory as Tacit would write it; a person may have written the file otherwise. */
  memoryHash: string;
}

/** How a path is noted: it may hold a name, and a purged memory must leave none. */
export function hashOfPath(path: string): string {
  return hashOfText(`path ${path}`);
}

/** Every work tree's state, because a file may be known from another clone. */
export async function listSharedStates(reader: Reader, project: Project): Promise<SharedState[]> {
  const rows = await reader.rows(
    `SELECT root, path_hash, memory_id, file_id, file_hash, memory_hash FROM shared_files
     WHERE project_number = :project ORDER BY root, path_hash`,
    { project: project.number },
  );
  return rows.map((row) => ({
    root: String(row["root"]),
    pathHash: String(row["path_hash"]),
    memoryId: String(row["memory_id"]),
    fileId: String(row["file_id"]),
    fileHash: String(row["file_hash"]),
    memoryHash: String(row["memory_hash"]),
  }));
}

/** Replaces the state of one work tree. */
export async function writeSharedStates(
  writer: Writer,
  project: Project,
  root: string,
  states: SharedState[],
): Promise<void> {
  await writer.run("DELETE FROM shared_files WHERE project_number = :project AND root = :root", {
    project: project.number,
    root,
  });
  await writer.run(
    `INSERT INTO shared_files (project_number, root, path_hash, memory_id, file_id, file_hash, memory_hash)
     SELECT :project, :root, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(:states)`,
    {
      project: project.number,
      root,
      states: JSON.stringify(
        states.map(({ pathHash, memoryId, fileId, fileHash, memoryHash }) => {
          return [pathHash, memoryId, fileId, fileHash, memoryHash];
        }),
      ),
    },
  );
  await writer.run(
    `INSERT INTO shared_versions (project_number, memory_id, file_hash)
     SELECT project_number, memory_id, file_hash FROM shared_files WHERE project_number = :project AND root = :root
     ON CONFLICT DO NOTHING`,
    { project: project.number, root },
  );
}

/** Every version of the files that was ever agreed upon, as `versionOf` writes it. */
export async function listVersions(reader: Reader, project: Project): Promise<Set<string>> {
  const rows = await reader.rows("SELECT memory_id, file_hash FROM shared_versions WHERE project_number = :project", {
    project: project.number,
  });
  return new Set(rows.map((row) => versionOf(String(row["memory_id"]), String(row["file_hash"]))));
}

export function versionOf(memoryId: string, fileHash: string): string {
  return `${memoryId} ${fileHash}`;
}

/** What is forgotten because its file is gone here is new again wherever the file is. */
export async function forgetStates(writer: Writer, project: Project, memoryIds: string[]): Promise<void> {
  if (memoryIds.length === 0) return;
  await writer.run(
    `DELETE FROM shared_files WHERE project_number = :project AND memory_id IN (SELECT value FROM json_each(:ids))`,
    { project: project.number, ids: JSON.stringify(memoryIds) },
  );
  await writer.run("DELETE FROM shared_folders WHERE project_number = :project", { project: project.number });
}

/** What was found when the folder was last read. */
export interface LastReading {
  fingerprint: string;
  problems: ShareProblem[];
}

export async function findLastReading(
  reader: Reader,
  project: Project,
  root: string,
): Promise<LastReading | undefined> {
  const [row] = await reader.rows(
    "SELECT fingerprint, problems FROM shared_folders WHERE project_number = :project AND root = :root",
    { project: project.number, root },
  );
  return (
    row && {
      fingerprint: String(row["fingerprint"]),
      problems: JSON.parse(String(row["problems"])) as ShareProblem[],
    }
  );
}

/** The next look reads the folder, though no file has changed. */
export async function forgetReading(writer: Writer, project: Project, root: string): Promise<void> {
  await writer.run("DELETE FROM shared_folders WHERE project_number = :project AND root = :root", {
    project: project.number,
    root,
  });
}

export async function writeLastReading(
  writer: Writer,
  project: Project,
  root: string,
  { fingerprint, problems }: LastReading,
): Promise<void> {
  await writer.run(
    `INSERT INTO shared_folders (project_number, root, fingerprint, problems)
     VALUES (:project, :root, :fingerprint, :problems)
     ON CONFLICT (project_number, root) DO UPDATE SET fingerprint = excluded.fingerprint, problems = excluded.problems`,
    { project: project.number, root, fingerprint, problems: JSON.stringify(problems) },
  );
}
