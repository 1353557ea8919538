import type { Project } from "../../project/project.js";
import { soundJsonSql } from "../../memory/record/record.js";
import type { Reader } from "../../storage/storage.js";

/** How the conversations of a project stand. */
export interface ConversationHealth {
  conversations: number;
  archives: number;
  /** Archives that HISTORY.md does not tell yet. */
  unnoted: number;
  /** Conversations with more messages that no archive sums up than asked for, the longest first. */
  long: { sessionId: string; unarchived: number }[];
  /** Who consolidates now, or was ended while it did. */
  lease?: { holder: string; until: string };
}

// Nobody reads more names than that.
const maxNamed = 3;

export async function readConversationHealth(
  reader: Reader,
  project: Project,
  { longerThan, now }: { longerThan: number; now: Date },
): Promise<ConversationHealth> {
  const [counts] = await reader.rows(
    `SELECT (SELECT count(*) FROM conversations WHERE project_number = :project) AS conversations,
       count(x.memory_key) AS archives, count(x.memory_key) - count(x.noted_at) AS unnoted
     FROM conversations AS c JOIN conversation_archives AS x ON x.conversation_number = c.number
       JOIN memories AS a ON a.key = x.memory_key
     WHERE c.project_number = :project AND a.forgotten_at IS NULL`,
    { project: project.number },
  );
  const long = await reader.rows(
    `SELECT c.session_id, count(*) AS unarchived
     FROM conversations AS c JOIN conversation_turns AS t ON t.conversation_number = c.number
       JOIN memories AS m ON m.key = t.memory_key
     WHERE c.project_number = :project AND m.forgotten_at IS NULL AND (m.expires_at IS NULL OR m.expires_at > :now)
       AND ifnull(${soundJsonSql("data")} ->> 'part', 1) = 1
       AND t.sequence > ifnull((SELECT max(x.last_sequence)
         FROM conversation_archives AS x JOIN memories AS a ON a.key = x.memory_key
         WHERE x.conversation_number = c.number AND a.forgotten_at IS NULL), 0)
     GROUP BY c.number HAVING count(*) > :longerThan ORDER BY unarchived DESC LIMIT :most`,
    { project: project.number, now: now.toISOString(), longerThan: BigInt(longerThan), most: BigInt(maxNamed) },
  );
  const [lease] = await reader.rows("SELECT holder, until FROM consolidation_leases WHERE project_number = :project", {
    project: project.number,
  });
  return {
    conversations: Number(counts?.["conversations"] ?? 0),
    archives: Number(counts?.["archives"] ?? 0),
    unnoted: Number(counts?.["unnoted"] ?? 0),
    long: long.map((row) => ({ sessionId: String(row["session_id"]), unarchived: Number(row["unarchived"]) })),
    ...(lease && { lease: { holder: String(lease["holder"]), until: String(lease["until"]) } }),
  };
}
