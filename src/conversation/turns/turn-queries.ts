import { isTaintedSql, isUnverifiedSql, soundJsonSql } from "../../memory/record/record.js";
import { isArchived } from "../../memory/read/read.js";
import type { Project } from "../../project/project.js";
import type { Reader, Row, Writer } from "../../storage/storage.js";
import type { Role } from "../conversation.js";
import { checkWholeNumber } from "./check-whole-number.js";

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
         AND (m.expires_at IS NULL OR m.expires_at > :now OR ${isArchived})
         AND ifnull(${soundJsonSql("data")} ->> 'part', 1) = 1`;

/** Every conversation of the project of which a turn is left, newest first, with how many are. */
export async function listConversations(
  reader: Reader,
  project: Project,
  limit: number,
  now: Date,
): Promise<(ConversationRow & { turns: number })[]> {
  checkWholeNumber("limit", limit, 1);
  const rows = await reader.rows(
    `SELECT ${columns}, (SELECT count(*) ${leftTurns}) AS turns FROM conversations AS c
     WHERE project_number = :project AND EXISTS (SELECT 1 ${leftTurns})
     ORDER BY (SELECT max(t.memory_key) FROM conversation_turns AS t WHERE t.conversation_number = c.number) DESC, number DESC
     LIMIT :limit`,
    { project: project.number, limit: BigInt(limit), now: now.toISOString() },
  );
  return rows.map((row) => ({ ...toConversation(row), turns: Number(row["turns"]) }));
}

/** The conversation, which begins where there was none. What is known of it follows from its turns and archives, by triggers. */
export async function ensureConversation(
  writer: Writer,
  project: Project,
  { sessionId, createdAt }: { sessionId: string; createdAt: string },
): Promise<ConversationRow> {
  const [row] = await writer.rows(
    `INSERT INTO conversations (project_number, session_id, created_at, last_sequence, window_after, consolidated_to)
     VALUES (:project, :session, :created, 0, 0, 0)
     ON CONFLICT (project_number, session_id) DO UPDATE SET last_sequence = last_sequence
     RETURNING number`,
    { project: project.number, session: sessionId, created: createdAt },
  );
  const [found] = await writer.rows(`SELECT ${columns} FROM conversations WHERE number = :number`, {
    number: BigInt(Number(row?.["number"])),
  });
  return toConversation(found as Row);
}

/** Those of these ids that the project has. */
export async function listKnownIds(reader: Reader, project: Project, ids: readonly string[]): Promise<Set<string>> {
  const rows = await reader.rows(
    "SELECT id FROM memories WHERE project_number = :project AND id IN (SELECT value FROM json_each(:ids))",
    { project: project.number, ids: JSON.stringify(ids) },
  );
  return new Set(rows.map((row) => String(row["id"])));
}

/** One of the memories that a long turn is kept in. */
export interface TurnPart {
  id: string;
  key: number;
  isForgotten: boolean;
}

// 48 MB; more than anybody says at once.
const maxParts = 1000;

/** The other parts of the long turn that a memory is a part of, in their order. */
export async function listParts(
  reader: Reader,
  { key, turn, parts }: { key: number; turn: string; parts: number },
): Promise<TurnPart[]> {
  const rows = await reader.rows(
    `SELECT m.id, m.key, m.forgotten_at IS NOT NULL AS is_forgotten
     FROM conversation_turns AS own
       JOIN conversation_turns AS t ON t.conversation_number = own.conversation_number
         AND t.sequence BETWEEN own.sequence - :parts AND own.sequence + :parts
       JOIN memories AS m ON m.key = t.memory_key
     WHERE own.memory_key = :key AND t.memory_key <> :key AND ${soundJsonSql("data")} ->> 'turn' = :turn
     ORDER BY t.sequence, t.memory_key`,
    { key: BigInt(key), turn, parts: BigInt(Math.trunc(Math.min(parts, maxParts))) },
  );
  return rows.map((row) => ({
    id: String(row["id"]),
    key: Number(row["key"]),
    isForgotten: row["is_forgotten"] === 1,
  }));
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
  /** What all parts of a long turn have in common, and nothing else has. */
  turn: string | undefined;
  isTainted: boolean;
  isPasted?: true;
}

export interface TurnQuery {
  /** Only those after this sequence. */
  after?: number;
  upTo?: number;
  roles?: readonly Role[];
  /** The last so many turns; in any case oldest first. */
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
       (${isTaintedSql} OR ${isUnverifiedSql}) AS is_tainted
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
  const data = JSON.parse(String(row["data"])) as {
    toolsUsed?: string[];
    part?: number;
    turn?: string;
    pasted?: boolean;
  };
  return {
    id: String(row["id"]),
    role: String(row["role"]) as Role,
    content: String(row["content"]),
    timestamp: String(row["created_at"]),
    sequence: Number(row["sequence"]),
    toolsUsed: data.toolsUsed ?? [],
    part: data.part,
    turn: data.turn,
    isTainted: row["is_tainted"] === 1,
    ...(data.pasted === true && { isPasted: true }),
  };
}
