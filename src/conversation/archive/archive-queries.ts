import { shortId } from "../../base/ids/ids.js";
import { soundJsonSql } from "../../memory/record/record.js";
import type { Reader, Row, Writer } from "../../storage/storage.js";
import type { Marker } from "../conversation.js";
import type { ConversationRow } from "../turns/turn-queries.js";

/** A marker, and the key of its archive. */
export interface KeyedMarker extends Marker {
  key: number;
}

// A forgotten archive is none: what it summed up is part of the conversation again.
const inForce = "a.forgotten_at IS NULL";

const selectMarkers = `SELECT x.memory_key, x.first_sequence, x.last_sequence, x.archived_at,
       ifnull((SELECT n.name FROM memory_names AS n WHERE n.memory_key = a.key AND n.is_alias = 0), substr(a.id, -8)) AS name
     FROM conversation_archives AS x JOIN memories AS a ON a.key = x.memory_key`;

/** Every marker of a conversation, oldest first. */
export async function listMarkers(reader: Reader, { number }: ConversationRow): Promise<KeyedMarker[]> {
  const rows = await reader.rows(
    `${selectMarkers} WHERE x.conversation_number = :number AND ${inForce} ORDER BY x.last_sequence, x.memory_key`,
    { number },
  );
  return rows.map(toMarker);
}

export async function findNewestMarker(reader: Reader, { number }: ConversationRow): Promise<KeyedMarker | undefined> {
  const [row] = await reader.rows(
    `${selectMarkers} WHERE x.conversation_number = :number AND ${inForce}
     ORDER BY x.last_sequence DESC, x.memory_key DESC LIMIT 1`,
    { number },
  );
  return row && toMarker(row);
}

/** The conversation that an archive sums up a part of, and which part; undefined for one that has none. */
export async function findArchived(
  reader: Reader,
  key: number,
): Promise<{ number: number; first: number; last: number } | undefined> {
  const [row] = await reader.rows(
    "SELECT conversation_number, first_sequence, last_sequence FROM conversation_archives WHERE memory_key = :key",
    { key },
  );
  return (
    row && {
      number: Number(row["conversation_number"]),
      first: Number(row["first_sequence"]),
      last: Number(row["last_sequence"]),
    }
  );
}

export interface NamedArchive {
  id: string;
  /** Every name that it ever had. */
  names: string[];
  archivedAt: string;
  createdAt: string;
}

/** Those of these that are archives, and for turns those that sum them up, forgotten ones too. */
export async function listArchivesAbout(reader: Reader, keys: readonly number[]): Promise<NamedArchive[]> {
  const rows = await reader.rows(
    `SELECT a.id, a.created_at, x.archived_at, a.released_names ->> 'name' AS released,
       (SELECT n.name FROM memory_names AS n WHERE n.memory_key = a.key AND n.is_alias = 0) AS name,
       (SELECT json_group_array(json_extract(c.fields, '$.name')) FROM memory_changes AS c WHERE c.memory_key = a.key) AS former
     FROM conversation_archives AS x JOIN memories AS a ON a.key = x.memory_key
     WHERE x.memory_key IN (
       SELECT value FROM json_each(:keys)
       UNION
       SELECT y.memory_key FROM json_each(:keys) AS k JOIN conversation_turns AS t ON t.memory_key = k.value
         JOIN conversation_archives AS y ON y.conversation_number = t.conversation_number
           AND y.last_sequence >= t.sequence AND y.first_sequence <= t.sequence)`,
    { keys: JSON.stringify(keys) },
  );
  return rows.map((row) => {
    const id = String(row["id"]);
    // Of each change what the name was and what it became.
    const former = JSON.parse(String(row["former"])) as ((string | null)[] | null)[];
    const names = [row["name"], row["released"], ...former.flatMap((change) => change ?? []), shortId(id)];
    return {
      id,
      names: [...new Set(names.filter((name) => typeof name === "string"))],
      archivedAt: String(row["archived_at"]),
      createdAt: String(row["created_at"]),
    };
  });
}

/** How many messages in force stand in a stretch of places; the parts of a long one are one. */
export async function countMessagesIn(
  reader: Reader,
  { number }: Pick<ConversationRow, "number">,
  { after, upTo }: { after: number; upTo: number },
  now: Date,
): Promise<number> {
  const [row] = await reader.rows(
    `SELECT count(*) AS n FROM conversation_turns AS t JOIN memories AS m ON m.key = t.memory_key
     WHERE t.conversation_number = :number AND t.sequence > :after AND t.sequence <= :upTo AND m.forgotten_at IS NULL
       AND (m.expires_at IS NULL OR m.expires_at > :now) AND ifnull(${soundJsonSql("data")} ->> 'part', 1) = 1`,
    { number, after: BigInt(after), upTo: BigInt(upTo), now: now.toISOString() },
  );
  return Number(row?.["n"] ?? 0);
}

/** Whether an archive in force sums up any of these places. */
export async function isCovered(
  reader: Reader,
  { number }: Pick<ConversationRow, "number">,
  { first, last }: Pick<Marker, "first" | "last">,
): Promise<boolean> {
  const rows = await reader.rows(
    `SELECT 1 FROM conversation_archives AS x JOIN memories AS a ON a.key = x.memory_key
     WHERE x.conversation_number = :number AND ${inForce} AND x.last_sequence >= :first AND x.first_sequence <= :last LIMIT 1`,
    { number, first: BigInt(first), last: BigInt(last) },
  );
  return rows.length > 0;
}

/** How many of these memories are there and not forgotten. */
export async function countInForce(reader: Reader, project: number, ids: readonly string[]): Promise<number> {
  const [row] = await reader.rows(
    `SELECT count(*) AS n FROM memories
     WHERE project_number = :project AND forgotten_at IS NULL AND id IN (SELECT value FROM json_each(:ids))`,
    { project, ids: JSON.stringify(ids) },
  );
  return Number(row?.["n"] ?? 0);
}

/** Those of these names that are taken in the project, or belong to an archive that may be restored. */
export async function listTakenNames(writer: Writer, project: number, names: readonly string[]): Promise<Set<string>> {
  const rows = await writer.rows(
    `SELECT name FROM memory_names WHERE project_number = :project AND name IN (SELECT value FROM json_each(:names))
     UNION
     SELECT released_names ->> 'name' FROM memories
     WHERE project_number = :project AND forgotten_at IS NOT NULL AND type = 'archive'
       AND released_names ->> 'name' IN (SELECT value FROM json_each(:names))`,
    { project, names: JSON.stringify(names) },
  );
  return new Set(rows.map((row) => String(row["name"])));
}

function toMarker(row: Row): KeyedMarker {
  return {
    key: Number(row["memory_key"]),
    archiveName: String(row["name"]),
    archivedAt: String(row["archived_at"]),
    first: Number(row["first_sequence"]),
    last: Number(row["last_sequence"]),
  };
}
