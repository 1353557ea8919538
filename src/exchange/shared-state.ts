import type { Reader, Writer } from "../storage/storage.js";
import type { Project } from "../memory/projects.js";

/** How a file and its memory looked when they last agreed, in one work tree. */
export interface SharedState {
  root: string;
  path: string;
  memoryId: string;
  /** Of the file. */
  fileHash: string;
  /** Of the memory as Tacit would write it; a person may have written the file otherwise. */
  memoryHash: string;
}

/** Every work tree's state, because a file may be known from another clone. */
export async function listSharedStates(reader: Reader, project: Project): Promise<SharedState[]> {
  const rows = await reader.rows(
    "SELECT root, path, memory_id, hash FROM shared_files WHERE project_number = :project ORDER BY root, path",
    { project: project.number },
  );
  return rows.map((row) => {
    const [fileHash = "", memoryHash = ""] = String(row["hash"]).split(":");
    return {
      root: String(row["root"]),
      path: String(row["path"]),
      memoryId: String(row["memory_id"]),
      fileHash,
      memoryHash,
    };
  });
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
    `INSERT INTO shared_files (project_number, root, path, memory_id, hash)
     SELECT :project, :root, value ->> 0, value ->> 1, value ->> 2 FROM json_each(:states)`,
    {
      project: project.number,
      root,
      states: JSON.stringify(
        states.map(({ path, memoryId, fileHash, memoryHash }) => [path, memoryId, `${fileHash}:${memoryHash}`]),
      ),
    },
  );
}

export async function findFingerprint(reader: Reader, project: Project, root: string): Promise<string | undefined> {
  const [row] = await reader.rows(
    "SELECT fingerprint FROM shared_folders WHERE project_number = :project AND root = :root",
    { project: project.number, root },
  );
  return row && String(row["fingerprint"]);
}

export async function writeFingerprint(
  writer: Writer,
  project: Project,
  root: string,
  fingerprint: string,
): Promise<void> {
  await writer.run(
    `INSERT INTO shared_folders (project_number, root, fingerprint) VALUES (:project, :root, :fingerprint)
     ON CONFLICT (project_number, root) DO UPDATE SET fingerprint = excluded.fingerprint`,
    { project: project.number, root, fingerprint },
  );
}
