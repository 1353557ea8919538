import { isUnverifiedSql } from "../../memory/decay.js";
import { isArchived } from "../../memory/memory-filter.js";
import type { Project } from "../../memory/projects.js";
import type { Reader, Row, Writer } from "../../storage/storage.js";
import type { Role } from "../conversation.js";

/** A conversation as its row has it. */
export interface ConversationRow {
  number: number;
  sessionId: string;
  createdAt: string;
  keepCount: number | undefined;
  lastSequence: number;
  windowAfter: number;
  consolidatedTo: number;
}

const columns = "number, session_id, created_at, keep_count, last_sequence, window_after, consolidated_to";

export async function findConversation(
  reader: Reader,
  project: Project,
  sessionId: string,
): Promise<ConversationRow | undefined> {
  const [row] = await reader.rows(
    `SELECT ${columns} FROM conversations WHERE project_number = :project AND session_id = :session`,
    { project: project.number, session: sessionId },
  );
  return row && toConversation(row);
}

const leftTurns = `FROM conversation_turns AS t JOIN memories AS m ON m.key = t.memory_key
       WHERE t.conversation_number = c.number AND m.forgotten_at IS NULL
         AND (m.expires_at IS NULL OR m.expires_at > :now OR ${isArchived})`;

/** Every conversation of the project of which a turn is left, newest first, with how many are. */
export async function listConversations(
  reader: Reader,
  project: Project,
  limit: number,
  now: Date,
): Promise<(ConversationRow & { turns: number })[]> {
  const rows = await reader.rows(
    `SELECT ${columns}, (SELECT count(*) ${leftTurns}) AS turns FROM conversations AS c
     WHERE project_number = :project AND EXISTS (SELECT 1 ${leftTurns})
     ORDER BY created_at DESC, number DESC LIMIT :limit`,
    { project: project.number, limit, now: now.toISOString() },
  );
  return rows.map((row) => ({ ...toConversation(row), turns: Number(row["turns"]) }));
}

/** The conversation, which begins now where there was none. What was told of how many turns stay is kept. */
export async function ensureConversation(
  writer: Writer,
  project: Project,
  { sessionId, createdAt, keepCount }: { sessionId: string; createdAt: string; keepCount?: number | undefined },
): Promise<ConversationRow> {
  const [row] = await writer.rows(
    `INSERT INTO conversations (project_number, session_id, created_at, keep_count, last_sequence, window_after, consolidated_to)
     VALUES (:project, :session, :created, :keep, 0, 0, 0)
     ON CONFLICT (project_number, session_id) DO UPDATE SET keep_count = ifnull(excluded.keep_count, keep_count)
     RETURNING ${columns}`,
    {
      project: project.number,
      session: sessionId,
      created: createdAt,
      keep: keepCount === undefined ? null : BigInt(keepCount),
    },
  );
  return toConversation(row as Row);
}

/** Where the window begins from now on. */
export async function moveWindow(writer: Writer, { number }: ConversationRow, after: number): Promise<void> {
  await writer.run("UPDATE conversations SET window_after = max(window_after, :after) WHERE number = :number", {
    number,
    after: BigInt(after),
  });
}

/** Up to where what is worth keeping was taken from the conversation. */
export async function noteConsolidated(writer: Writer, { number }: ConversationRow, to: number): Promise<void> {
  await writer.run("UPDATE conversations SET consolidated_to = max(consolidated_to, :to) WHERE number = :number", {
    number,
    to: BigInt(to),
  });
}

/** A turn, or a part of one, as its row has it. */
export interface TurnRow {
  id: string;
  role: Role;
  content: string;
  timestamp: string;
  sequence: number;
  toolsUsed: string[];
  /** From 1; absent where the turn is whole. */
  part: number | undefined;
  isTainted: boolean;
}

export interface TurnQuery {
  /** Only those after this sequence. */
  after?: number;
  upTo?: number;
  roles?: readonly Role[];
  /** The last so many; in any case oldest first. */
  last?: number;
}

/** The turns of a conversation that are in force, oldest first. */
export async function listTurnRows(
  reader: Reader,
  { number }: Pick<ConversationRow, "number">,
  { after = 0, upTo = Number.MAX_SAFE_INTEGER, roles, last = -1 }: TurnQuery,
  now: Date,
): Promise<TurnRow[]> {
  const ofRoles = roles ? "AND t.role IN (SELECT value FROM json_each(:roles))" : "";
  const rows = await reader.rows(
    `SELECT m.id, t.role, m.content, m.created_at, t.sequence, m.data,
       (m.trust_flags LIKE '%"tainted"%' OR ${isUnverifiedSql}) AS is_tainted
     FROM conversation_turns AS t JOIN memories AS m ON m.key = t.memory_key
     WHERE t.conversation_number = :number AND t.sequence > :after AND t.sequence <= :upTo ${ofRoles}
       AND m.forgotten_at IS NULL AND (m.expires_at IS NULL OR m.expires_at > :now OR ${isArchived})
     ORDER BY t.sequence DESC, t.memory_key DESC LIMIT :last`,
    {
      number,
      after: BigInt(after),
      upTo: BigInt(upTo),
      now: now.toISOString(),
      last: BigInt(last),
      ...(roles && { roles: JSON.stringify(roles) }),
    },
  );
  return rows.map(toTurnRow).toReversed();
}

/** How many messages came after a sequence; the parts of a long one are one. */
export async function countMessages(reader: Reader, { number }: ConversationRow, after: number): Promise<number> {
  const [row] = await reader.rows(
    `SELECT count(*) AS n FROM conversation_turns AS t JOIN memories AS m ON m.key = t.memory_key
     WHERE t.conversation_number = :number AND t.sequence > :after AND m.forgotten_at IS NULL
       AND ifnull(m.data ->> 'part', 1) = 1`,
    { number, after: BigInt(after) },
  );
  return Number(row?.["n"] ?? 0);
}

function toConversation(row: Row): ConversationRow {
  return {
    number: Number(row["number"]),
    sessionId: String(row["session_id"]),
    createdAt: String(row["created_at"]),
    keepCount: row["keep_count"] === null ? undefined : Number(row["keep_count"]),
    lastSequence: Number(row["last_sequence"]),
    windowAfter: Number(row["window_after"]),
    consolidatedTo: Number(row["consolidated_to"]),
  };
}

function toTurnRow(row: Row): TurnRow {
  const data = JSON.parse(String(row["data"])) as { toolsUsed?: string[]; part?: number };
  return {
    id: String(row["id"]),
    role: String(row["role"]) as Role,
    content: String(row["content"]),
    timestamp: String(row["created_at"]),
    sequence: Number(row["sequence"]),
    toolsUsed: data.toolsUsed ?? [],
    part: data.part,
    isTainted: row["is_tainted"] === 1,
  };
}
