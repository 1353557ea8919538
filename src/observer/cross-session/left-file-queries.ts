import type { Project } from "../../project/project.js";
import type { Reader, Writer } from "../../storage/storage.js";

/** What a session left of a file that it wrote. */
export interface LeftFile {
  path: string;
  /** Git's names for the content, by the ends of lines that it may be committed with; none where nobody knows it. */
  blobs: readonly string[];
  /** Whether the file was another one when the session began. */
  isChanged: boolean;
}

/** Notes what a session has left in a work tree by now. What it had left of the same files before is no longer there. */
export async function noteLeftFiles(
  writer: Writer,
  sessionNumber: number,
  { root, files, now }: { root: string; files: readonly LeftFile[]; now: Date },
): Promise<void> {
  if (files.length === 0) return;
  const session = BigInt(sessionNumber);
  await writer.run(
    `DELETE FROM observer_left_files
     WHERE session_number = :session AND root = :root AND path IN (SELECT value FROM json_each(:paths))`,
    { session, root, paths: JSON.stringify(files.map(({ path }) => path)) },
  );
  const rows = files.flatMap(({ path, blobs, isChanged }) =>
    (blobs.length > 0 ? blobs : [""]).map((blob) => ({ path, blob, changed: isChanged ? 1 : 0 })),
  );
  await writer.run(
    `INSERT INTO observer_left_files (session_number, root, path, blob, changed, left_at)
     SELECT :session, :root, value ->> 'path', value ->> 'blob', value ->> 'changed', :at FROM json_each(:rows)`,
    { session, root, at: now.toISOString(), rows: JSON.stringify(rows) },
  );
}

/** A file as a session left it last in a work tree. */
export interface LastLeft {
  /** Git's names for the content; none where nobody knows it. */
  blobs: string[];
  isChanged: boolean;
  /** Milliseconds since 1970. */
  at: number;
}

export async function listLastLeft(
  reader: Reader,
  project: Project,
  { root, paths }: { root: string; paths: readonly string[] },
): Promise<Map<string, LastLeft>> {
  const rows = await reader.rows(
    `SELECT l.path, max(l.left_at) AS left_at, max(l.changed) AS changed, json_group_array(l.blob) AS blobs
     FROM json_each(:paths) AS p JOIN observer_left_files AS l ON l.path = p.value AND l.root = :root
     JOIN observer_sessions AS s ON s.number = l.session_number AND s.project_number = :project
     GROUP BY l.path, l.session_number ORDER BY max(l.left_at), l.session_number`,
    { project: BigInt(project.number), root, paths: JSON.stringify(paths) },
  );
  // Later rows take the place of earlier ones.
  return new Map(
    rows.map((row) => {
      const blobs = (JSON.parse(String(row["blobs"])) as string[]).filter((blob) => blob !== "");
      return [
        String(row["path"]),
        { blobs, at: Date.parse(String(row["left_at"])), isChanged: Number(row["changed"]) === 1 },
      ];
    }),
  );
}
