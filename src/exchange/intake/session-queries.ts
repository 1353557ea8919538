import type { Intake } from "./begin-intake.js";

/** The sessions of turns and archives that are in the project, by their keys. */
export async function listSessionsOf({ writer }: Intake, keys: readonly number[]): Promise<Map<number, string>> {
  if (keys.length === 0) return new Map();
  const rows = await writer.rows(
    `SELECT key, session_id FROM memories
     WHERE key IN (SELECT value FROM json_each(:keys)) AND session_id IS NOT NULL AND type IN ('conversation', 'archive')`,
    { keys: JSON.stringify(keys) },
  );
  return new Map(rows.map((row) => [Number(row["key"]), String(row["session_id"])]));
}

/** Those of these sessions of which the project has a turn or an archive, forgotten or not. */
export async function listSessionsInUse(
  { writer, project }: Intake,
  sessions: readonly string[],
): Promise<Set<string>> {
  if (sessions.length === 0) return new Set();
  const rows = await writer.rows(
    `SELECT c.session_id FROM json_each(:sessions) AS asked
       CROSS JOIN conversations AS c ON c.project_number = :project AND c.session_id = asked.value
     WHERE EXISTS (SELECT 1 FROM conversation_turns AS t WHERE t.conversation_number = c.number)
       OR EXISTS (SELECT 1 FROM conversation_archives AS x WHERE x.conversation_number = c.number)`,
    { sessions: JSON.stringify(sessions), project: project.number },
  );
  return new Set(rows.map((row) => String(row["session_id"])));
}
