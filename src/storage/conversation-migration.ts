import type { Migration } from "./migrations.js";

const turnPlace = `SELECT new.key, c.number, new.data ->> 'sequence', ifnull(new.data ->> 'role', 'user')
        FROM conversations AS c WHERE c.project_number = new.project_number AND c.session_id = new.session_id`;

const isTurn = `new.type = 'conversation' AND new.session_id IS NOT NULL
        AND typeof(new.data ->> 'sequence') = 'integer'`;

const isArchive = `new.type = 'archive' AND new.session_id IS NOT NULL
        AND typeof(new.data ->> 'first') = 'integer' AND typeof(new.data ->> 'last') = 'integer'`;

// It begins with its first turn, though not in the future. What else is known of it is in its turns and archives too, so that it
// goes where they go.
const ensureConversation = ({ last, keepCount = "NULL", consolidatedTo = "0" }: Record<string, string>) =>
  `INSERT INTO conversations
        (project_number, session_id, created_at, keep_count, last_sequence, window_after, consolidated_to)
        VALUES (new.project_number, new.session_id, min(new.created_at, new.stored_at), ${keepCount}, ${last}, 0, ${consolidatedTo})
        ON CONFLICT (project_number, session_id) DO UPDATE SET created_at = min(created_at, excluded.created_at),
          keep_count = ifnull(excluded.keep_count, keep_count), last_sequence = max(last_sequence, excluded.last_sequence),
          consolidated_to = max(consolidated_to, excluded.consolidated_to)`;

// What was told last counts, in whatever order the turns arrive.
const toldKeepCount = `CASE WHEN typeof(new.data ->> 'keepCount') = 'integer' AND new.data ->> 'keepCount' >= 0 AND NOT EXISTS (
          SELECT 1 FROM conversations AS c JOIN conversation_turns AS t ON t.conversation_number = c.number
            JOIN memories AS m ON m.key = t.memory_key
          WHERE c.project_number = new.project_number AND c.session_id = new.session_id
            AND t.sequence > new.data ->> 'sequence' AND typeof(m.data ->> 'keepCount') = 'integer')
        THEN new.data ->> 'keepCount' END`;

const noteTurn = `${ensureConversation({ last: "new.data ->> 'sequence'", keepCount: toldKeepCount })};
      INSERT INTO conversation_turns (memory_key, conversation_number, sequence, role) ${turnPlace}`;

const archivedTo = "CASE WHEN new.data ->> 'consolidated' THEN new.data ->> 'last' ELSE 0 END";

const noteArchive = `${ensureConversation({ last: "new.data ->> 'last'", consolidatedTo: archivedTo })};
      INSERT INTO conversation_archives (memory_key, conversation_number, first_sequence, last_sequence, archived_at)
        SELECT new.key, c.number, new.data ->> 'first', new.data ->> 'last', ifnull(new.data ->> 'archivedAt', new.created_at)
        FROM conversations AS c WHERE c.project_number = new.project_number AND c.session_id = new.session_id
        ON CONFLICT (memory_key) DO UPDATE SET conversation_number = excluded.conversation_number,
          first_sequence = excluded.first_sequence, last_sequence = excluded.last_sequence`;

// What an archive no longer leads to is talk like any other, and gets the days of talk that was just heard.
const giveDays = (archive: "old" | "new", from: string) => `UPDATE memories
        SET expires_at = max(expires_at, strftime('%Y-%m-%dT%H:%M:%fZ', ${from}, '+30 days'))
        WHERE expires_at IS NOT NULL AND key IN (
          SELECT t.memory_key FROM conversations AS c JOIN conversation_turns AS t ON t.conversation_number = c.number
          WHERE c.project_number = ${archive}.project_number AND c.session_id = ${archive}.session_id
            AND t.sequence BETWEEN ${archive}.data ->> 'first' AND ${archive}.data ->> 'last')`;

export const conversation: Migration = {
  number: 7,
  name: "conversations",
  statements: [
    // What is known of a session beside its turns, which are memories. created_at: when it began. keep_count: how many turns
    // stay when the rest is consolidated; NULL: as the settings say. window_after: the window shows what came after this
    // sequence. consolidated_to: up to where what is worth keeping was taken from it.
    `CREATE TABLE conversations (
      number          INTEGER PRIMARY KEY,
      project_number  INTEGER NOT NULL REFERENCES projects (number) ON DELETE CASCADE,
      session_id      TEXT NOT NULL,
      created_at      TEXT NOT NULL,
      keep_count      INTEGER,
      last_sequence   INTEGER NOT NULL,
      window_after    INTEGER NOT NULL,
      consolidated_to INTEGER NOT NULL,
      UNIQUE (project_number, session_id)
    ) STRICT`,

    // Derived from the rows: where each turn stands in its conversation. Kept in step by triggers, because a turn arrives by
    // many ways: said, imported, replaced by a newer copy, undone.
    `CREATE TABLE conversation_turns (
      memory_key          INTEGER PRIMARY KEY REFERENCES memories (key) ON DELETE CASCADE,
      conversation_number INTEGER NOT NULL REFERENCES conversations (number) ON DELETE CASCADE,
      sequence            INTEGER NOT NULL,
      role                TEXT NOT NULL
    ) STRICT`,
    "CREATE INDEX conversation_turns_by_place ON conversation_turns (conversation_number, sequence, memory_key, role)",

    // Derived from the rows, except for noted_at and noted_in: which turns an archive sums up. The archive is the marker; one
    // without the other cannot be. noted_at: when it was written to HISTORY.md; noted_in: in which folder.
    `CREATE TABLE conversation_archives (
      memory_key          INTEGER PRIMARY KEY REFERENCES memories (key) ON DELETE CASCADE,
      conversation_number INTEGER NOT NULL REFERENCES conversations (number) ON DELETE CASCADE,
      first_sequence      INTEGER NOT NULL,
      last_sequence       INTEGER NOT NULL,
      archived_at         TEXT NOT NULL,
      noted_at            TEXT,
      noted_in            TEXT
    ) STRICT`,
    "CREATE INDEX conversation_archives_by_place ON conversation_archives (conversation_number, last_sequence, first_sequence)",

    // Every folder that MEMORY.md or HISTORY.md of a project was ever written to: what is purged leaves all of them.
    `CREATE TABLE layer_folders (
      project_number INTEGER NOT NULL REFERENCES projects (number) ON DELETE CASCADE,
      folder         TEXT NOT NULL,
      PRIMARY KEY (project_number, folder)
    ) STRICT, WITHOUT ROWID`,
    // What MEMORY.md may show, those first that are most worth telling: a hundred of them are read, and no turn is passed.
    `CREATE INDEX memories_by_worth ON memories (project_number, pinned DESC, confidence DESC,
        (user_verified = 1 OR source = 'user_taught') DESC, access_count DESC, created_at DESC, key DESC)
      WHERE type NOT IN ('conversation', 'archive') AND forgotten_at IS NULL AND valid_until IS NULL`,

    `CREATE TRIGGER turn_added AFTER INSERT ON memories WHEN ${isTurn}
    BEGIN
      ${noteTurn};
    END`,
    `CREATE TRIGGER turn_changed AFTER UPDATE OF type, session_id, data ON memories WHEN ${isTurn}
    BEGIN
      DELETE FROM conversation_turns WHERE memory_key = new.key;
      ${noteTurn};
    END`,
    `CREATE TRIGGER turn_left AFTER UPDATE OF type, session_id, data ON memories
      WHEN old.type = 'conversation' AND NOT (${isTurn})
    BEGIN
      DELETE FROM conversation_turns WHERE memory_key = new.key;
    END`,
    `CREATE TRIGGER archive_added AFTER INSERT ON memories WHEN ${isArchive}
    BEGIN
      ${noteArchive};
    END`,
    `CREATE TRIGGER archive_changed AFTER UPDATE OF type, session_id, data ON memories WHEN ${isArchive}
    BEGIN
      ${noteArchive};
    END`,

    `CREATE TRIGGER archive_left AFTER UPDATE OF type, session_id, data ON memories
      WHEN old.type = 'archive' AND NOT (${isArchive})
    BEGIN
      DELETE FROM conversation_archives WHERE memory_key = new.key;
    END`,

    `CREATE TRIGGER archive_forgotten AFTER UPDATE OF forgotten_at ON memories
      WHEN new.type = 'archive' AND old.forgotten_at IS NULL AND new.forgotten_at IS NOT NULL
    BEGIN
      ${giveDays("new", "new.forgotten_at")};
    END`,
    `CREATE TRIGGER archive_purged AFTER DELETE ON memories WHEN old.type = 'archive' AND old.forgotten_at IS NULL
    BEGIN
      ${giveDays("old", "'now'")};
    END`,

    // Who consolidates a project's conversations now; nobody else does meanwhile. holder: host, process and its start, so that
    // a dead one on this machine keeps nobody waiting.
    `CREATE TABLE consolidation_leases (
      project_number INTEGER PRIMARY KEY REFERENCES projects (number) ON DELETE CASCADE,
      token          TEXT NOT NULL,
      holder         TEXT NOT NULL,
      until          TEXT NOT NULL
    ) STRICT`,
  ],
};
