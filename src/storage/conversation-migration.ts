import type { Migration } from "./migrations.js";

const turnPlace = `SELECT new.key, c.number, new.data ->> 'sequence', ifnull(new.data ->> 'role', 'user')
        FROM conversations AS c WHERE c.project_number = new.project_number AND c.session_id = new.session_id`;

const isTurn = `new.type = 'conversation' AND new.session_id IS NOT NULL
        AND typeof(new.data ->> 'sequence') = 'integer'`;

const isArchive = `new.type = 'archive' AND new.session_id IS NOT NULL
        AND typeof(new.data ->> 'first') = 'integer' AND typeof(new.data ->> 'last') = 'integer'`;

const ensureConversation = (lastSequence: string) =>
  `INSERT INTO conversations (project_number, session_id, created_at, last_sequence, window_after, consolidated_to)
        VALUES (new.project_number, new.session_id, new.created_at, ${lastSequence}, 0, 0)
        ON CONFLICT (project_number, session_id) DO UPDATE SET last_sequence = max(last_sequence, excluded.last_sequence)`;

const noteTurn = `${ensureConversation("new.data ->> 'sequence'")};
      INSERT INTO conversation_turns (memory_key, conversation_number, sequence, role) ${turnPlace}`;

const noteArchive = `${ensureConversation("new.data ->> 'last'")};
      INSERT INTO conversation_archives (memory_key, conversation_number, first_sequence, last_sequence, archived_at)
        SELECT new.key, c.number, new.data ->> 'first', new.data ->> 'last', ifnull(new.data ->> 'archivedAt', new.created_at)
        FROM conversations AS c WHERE c.project_number = new.project_number AND c.session_id = new.session_id
        ON CONFLICT (memory_key) DO UPDATE SET conversation_number = excluded.conversation_number,
          first_sequence = excluded.first_sequence, last_sequence = excluded.last_sequence`;

export const conversation: Migration = {
  number: 7,
  name: "conversations",
  statements: [
    // What is known of a session beside its turns, which are memories. created_at never changes. keep_count: how many turns
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

    // Derived from the rows, except for noted_at: which turns an archive sums up. The archive is the marker; one without the
    // other cannot be. noted_at: when it was written to HISTORY.md.
    `CREATE TABLE conversation_archives (
      memory_key          INTEGER PRIMARY KEY REFERENCES memories (key) ON DELETE CASCADE,
      conversation_number INTEGER NOT NULL REFERENCES conversations (number) ON DELETE CASCADE,
      first_sequence      INTEGER NOT NULL,
      last_sequence       INTEGER NOT NULL,
      archived_at         TEXT NOT NULL,
      noted_at            TEXT
    ) STRICT`,
    "CREATE INDEX conversation_archives_by_place ON conversation_archives (conversation_number, last_sequence, first_sequence)",

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
