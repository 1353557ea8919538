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

/** Notes what a session left. What an earlier part of it left of the same files is no longer there. */
export async function noteLeftFiles(writer: Writer, sessionNumber: number, files: readonly LeftFile[]): Promise<void> {
  if (files.length === 0) return;
  const session = BigInt(sessionNumber);
  await writer.run(
    `DELETE FROM observer_left_files
     WHERE session_number = :session AND path IN (SELECT value FROM json_each(:paths))`,
    { session, paths: JSON.stringify(files.map(({ path }) => path)) },
  );
  const rows = files.flatMap(({ path, blobs, isChanged }) =>
    (blobs.length > 0 ? blobs : [""]).map((blob) => ({ path, blob, changed: isChanged ? 1 : 0 })),
  );
  await writer.run(
    `INSERT INTO observer_left_files (session_number, path, blob, changed)
     SELECT :session, value ->> 'path', value ->> 'blob', value ->> 'changed' FROM json_each(:rows)`,
    { session, rows: JSON.stringify(rows) },
  );
}

/** As the last session that noted them left these files: for each path git's names for its content. */
export async function listLastLeft(
  reader: Reader,
  project: Project,
  paths: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await reader.rows(
    `SELECT l.path, l.blob, max(l.session_number) OVER (PARTITION BY l.path) = l.session_number AS is_last
     FROM json_each(:paths) AS p JOIN observer_left_files AS l ON l.path = p.value
     JOIN observer_sessions AS s ON s.number = l.session_number AND s.project_number = :project`,
    { project: BigInt(project.number), paths: JSON.stringify(paths) },
  );
  const left = new Map<string, string[]>();
  for (const row of rows.filter((one) => Number(one["is_last"]) === 1 && one["blob"] !== "")) {
    const path = String(row["path"]);
    left.set(path, [...(left.get(path) ?? []), String(row["blob"])]);
  }
  return left;
}
