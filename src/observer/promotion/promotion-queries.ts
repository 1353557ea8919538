import type { Project } from "../../project/project.js";
import type { Reader } from "../../storage/storage.js";
import type { SignalName } from "../observer.js";

/** The memories of a session that wait for this reason. */
export async function listPendingFor(
  reader: Reader,
  project: Project,
  { sessionId, reason }: { sessionId: string; reason: string },
): Promise<number[]> {
  const rows = await reader.rows(
    `SELECT key FROM memories WHERE project_number = :project AND session_id = :session
       AND review_state = 'pending' AND review_reason = :reason AND forgotten_at IS NULL`,
    { project: BigInt(project.number), session: sessionId, reason },
  );
  return rows.map((row) => Number(row["key"]));
}

/** Of these pairs of files the subjects of those that a memory tells of which was made of one of these signals. */
export async function listPairsInMemories(
  reader: Reader,
  project: Project,
  pairs: readonly { subject: string; a: string | undefined; b: string | undefined }[],
  signals: readonly SignalName[],
): Promise<Set<string>> {
  const rows = await reader.rows(
    `SELECT DISTINCT p.value ->> 'subject' AS subject FROM json_each(:pairs) AS p
     CROSS JOIN memory_facets AS a ON a.project_number = :project AND a.kind = 'file' AND a.value = p.value ->> 'a'
     CROSS JOIN memory_facets AS b
       ON b.project_number = :project AND b.kind = 'file' AND b.value = p.value ->> 'b' AND b.memory_key = a.memory_key
     CROSS JOIN memories AS m ON m.key = a.memory_key AND m.forgotten_at IS NULL
     CROSS JOIN observer_subjects AS o ON o.memory_id = m.id AND o.signal IN (SELECT value FROM json_each(:signals))`,
    { project: BigInt(project.number), pairs: JSON.stringify(pairs), signals: JSON.stringify(signals) },
  );
  return new Set(rows.map((row) => String(row["subject"])));
}
