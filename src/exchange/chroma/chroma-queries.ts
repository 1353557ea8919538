import { ownId } from "../intake/identify-records.js";
import { isUnverifiedSql } from "../../memory/record/record.js";
import type { Project } from "../../project/project.js";
import type { Reader } from "../../storage/storage.js";

/** What somebody vouches for here. */
export interface TrustedHere {
  contentHash: string;
  updatedAt: string;
}

/** Those of these ids under which the project has something in force that somebody vouches for. */
export async function listTrusted(
  reader: Reader,
  project: Project,
  ids: readonly string[],
): Promise<Map<string, TrustedHere>> {
  // What belongs to another project of the store has an id of its own here.
  const asked = new Map(ids.flatMap((id) => [[id, id] as const, [ownId({ project }, id), id] as const]));
  const rows = await reader.rows(
    `SELECT m.id, m.content_hash, m.updated_at
     FROM json_each(:ids) AS asked CROSS JOIN memories AS m ON m.id = asked.value
     WHERE m.project_number = :project AND m.forgotten_at IS NULL AND m.valid_until IS NULL
       AND m.review_state <> 'flagged' AND NOT ${isUnverifiedSql}`,
    { ids: JSON.stringify([...asked.keys()]), project: project.number },
  );
  return new Map(
    rows.map((row) => [
      asked.get(String(row["id"])) as string,
      { contentHash: String(row["content_hash"]), updatedAt: String(row["updated_at"]) },
    ]),
  );
}

/** Those of these sessions in which something was said here. */
export async function listKnownSessions(
  reader: Reader,
  project: Project,
  sessions: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await reader.rows(
    `SELECT session_id FROM conversations
     WHERE project_number = :project AND session_id IN (SELECT value FROM json_each(:sessions))`,
    { project: project.number, sessions: JSON.stringify(sessions) },
  );
  return new Set(rows.map((row) => String(row["session_id"])));
}
