import { codeGraph } from "./code-graph-migration.js";
import { codeMeaning } from "./code-meaning-migration.js";
import { conversation } from "./conversation-migration.js";
import { folders } from "./folder-migration.js";
import { followUp } from "./follow-up-migration.js";
import { held } from "./held-migration.js";
import { injection } from "./injection-migration.js";
import { observer } from "./observer-migration.js";
import { quarantine } from "./quarantine-migration.js";

/** One step of the schema's history. Append-only: a migration that was released is never edited. */
export interface Migration {
  number: number;
  name: string;
  statements: readonly string[];
}

export const migrations: readonly Migration[] = [
  {
    number: 1,
    name: "memories",
    statements: [
      `CREATE TABLE schema_migrations (
        number INTEGER PRIMARY KEY,
        name   TEXT NOT NULL
      ) STRICT`,

      // Small facts about the store itself: which tokenizer built the word index, whether an erasure is pending.
      `CREATE TABLE store_state (
        name  TEXT PRIMARY KEY,
        value TEXT NOT NULL
      ) STRICT, WITHOUT ROWID`,
      "INSERT INTO store_state (name, value) VALUES ('tokenizer', '1')",

      `CREATE TABLE projects (
        number     INTEGER PRIMARY KEY CHECK (number BETWEEN 1 AND 1048575),
        id         TEXT NOT NULL UNIQUE,
        name       TEXT NOT NULL,
        created_at TEXT NOT NULL
      ) STRICT`,

      // What a project is recognised by: "remote:…", "git:…", "path:…".
      `CREATE TABLE project_keys (
        key            TEXT PRIMARY KEY,
        project_number INTEGER NOT NULL REFERENCES projects (number) ON DELETE CASCADE
      ) STRICT, WITHOUT ROWID`,
      "CREATE INDEX project_keys_by_project ON project_keys (project_number)",

      // key = project number × 2^32 + n. A project is a range of keys, so that full text search, which knows nothing
      // but a row's key, can be kept inside one project without reading a single row of another.
      `CREATE TABLE memories (
        key              INTEGER PRIMARY KEY,
        project_number   INTEGER NOT NULL REFERENCES projects (number),
        id               TEXT NOT NULL UNIQUE,
        type             TEXT NOT NULL,
        content          TEXT NOT NULL,
        content_hash     TEXT NOT NULL,
        data             TEXT,
        metadata         TEXT NOT NULL,
        tags             TEXT NOT NULL,
        related_files    TEXT NOT NULL,
        related_modules  TEXT NOT NULL,
        confidence       REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
        scope            TEXT NOT NULL,
        visibility       TEXT NOT NULL,
        source           TEXT NOT NULL,
        session_id       TEXT,
        agent            TEXT,
        commit_sha       TEXT,
        branch           TEXT,
        provenance       TEXT NOT NULL,
        graph_nodes      TEXT NOT NULL,
        half_life_days   REAL,
        expires_at       TEXT,
        valid_from       TEXT NOT NULL,
        valid_until      TEXT,
        superseded_by    TEXT REFERENCES memories (id) ON DELETE SET NULL,
        review_state     TEXT NOT NULL,
        review_reason    TEXT,
        trust_flags      TEXT NOT NULL,
        user_verified    INTEGER NOT NULL,
        pinned           INTEGER NOT NULL,
        citation_text    TEXT NOT NULL,
        work_unit        TEXT,
        methodology      TEXT,
        chunk            TEXT,
        access_count     INTEGER NOT NULL,
        last_accessed_at TEXT,
        created_at       TEXT NOT NULL,
        stored_at        TEXT NOT NULL,
        updated_at       TEXT NOT NULL,
        forgotten_at     TEXT,
        released_names   TEXT,
        CHECK (key >> 32 = project_number)
      ) STRICT`,
      "CREATE INDEX memories_by_content ON memories (project_number, content_hash)",
      "CREATE INDEX memories_by_time ON memories (project_number, created_at)",
      "CREATE INDEX memories_by_session ON memories (project_number, session_id) WHERE session_id IS NOT NULL",
      "CREATE INDEX memories_by_short_id ON memories (substr(id, -8))",
      "CREATE INDEX memories_by_successor ON memories (superseded_by) WHERE superseded_by IS NOT NULL",

      // One namespace a project for names and aliases. A forgotten memory gives its names back (released_names).
      `CREATE TABLE memory_names (
        project_number INTEGER NOT NULL REFERENCES projects (number) ON DELETE CASCADE,
        name           TEXT NOT NULL,
        memory_key     INTEGER NOT NULL REFERENCES memories (key) ON DELETE CASCADE,
        is_alias       INTEGER NOT NULL,
        PRIMARY KEY (project_number, name)
      ) STRICT, WITHOUT ROWID`,
      "CREATE INDEX memory_names_by_memory ON memory_names (memory_key)",
      "CREATE UNIQUE INDEX one_name_a_memory ON memory_names (memory_key) WHERE is_alias = 0",

      `CREATE TABLE memory_relations (
        memory_key    INTEGER NOT NULL REFERENCES memories (key) ON DELETE CASCADE,
        kind          TEXT NOT NULL,
        target_memory TEXT REFERENCES memories (id) ON DELETE CASCADE,
        target_file   TEXT,
        confidence    REAL NOT NULL,
        automatic     INTEGER NOT NULL,
        CHECK ((target_memory IS NULL) <> (target_file IS NULL))
      ) STRICT`,
      `CREATE UNIQUE INDEX one_relation_of_a_kind
        ON memory_relations (memory_key, kind, ifnull(target_memory, ''), ifnull(target_file, ''))`,
      "CREATE INDEX memory_relations_by_target ON memory_relations (target_memory) WHERE target_memory IS NOT NULL",

      // Derived from the rows: what filters look up. kind is 'tag', 'file' or 'module'.
      `CREATE TABLE memory_facets (
        project_number INTEGER NOT NULL,
        kind           TEXT NOT NULL,
        value          TEXT NOT NULL,
        memory_key     INTEGER NOT NULL REFERENCES memories (key) ON DELETE CASCADE,
        PRIMARY KEY (project_number, kind, value, memory_key)
      ) STRICT, WITHOUT ROWID`,
      "CREATE INDEX memory_facets_by_memory ON memory_facets (memory_key)",

      // Derived from the rows: their words. Texts arrive cut into tokens (base/words.ts); "ascii" only splits at blanks.
      // Not contentless: a contentless table keeps the tokens of purged rows even with secure-delete (measured).
      `CREATE VIRTUAL TABLE memory_words USING fts5 (content, name, tags, files, tokenize = "ascii")`,
      "INSERT INTO memory_words (memory_words, rank) VALUES ('secure-delete', 1)",
      "CREATE VIRTUAL TABLE memory_vocabulary USING fts5vocab (memory_words, 'row')",
    ],
  },
  {
    number: 2,
    name: "the life of a memory",
    statements: [
      // When this store got a memory that another store had before. Fading counts from here, or an old export would
      // arrive faded.
      "ALTER TABLE memories ADD COLUMN arrived_at TEXT",
      "ALTER TABLE memories ADD COLUMN uses_since_correction INTEGER NOT NULL DEFAULT 0",
      // NULL: somebody asked. Else why Tacit did it by itself.
      "ALTER TABLE memories ADD COLUMN forgotten_reason TEXT",
      "CREATE INDEX memories_by_forgetting ON memories (project_number, forgotten_at) WHERE forgotten_at IS NOT NULL",
      "CREATE INDEX memories_by_expiry ON memories (project_number, expires_at) WHERE expires_at IS NOT NULL",

      "ALTER TABLE projects ADD COLUMN pruned_at TEXT",

      // What each operation changed about a memory: fields is {"field": [before, after]}. Remembering is change 1 and
      // has no row of its own, except where another operation did it. operation joins what happened at once.
      `CREATE TABLE memory_changes (
        memory_key INTEGER NOT NULL REFERENCES memories (key) ON DELETE CASCADE,
        number     INTEGER NOT NULL,
        verb       TEXT NOT NULL,
        changed_at TEXT NOT NULL,
        operation  TEXT NOT NULL,
        fields     TEXT NOT NULL,
        PRIMARY KEY (memory_key, number)
      ) STRICT, WITHOUT ROWID`,
      "CREATE INDEX memory_changes_by_operation ON memory_changes (operation)",

      // The folders whose shared files the user lets speak: "path:…".
      `CREATE TABLE accepted_folders (
        project_number INTEGER NOT NULL REFERENCES projects (number) ON DELETE CASCADE,
        folder         TEXT NOT NULL,
        PRIMARY KEY (project_number, folder)
      ) STRICT, WITHOUT ROWID`,

      // How each shared file and its memory looked when they last agreed in a work tree. The path only as a hash: it may
      // hold a name, and a purged memory leaves none. file_id differs from memory_id where another project has that id.
      `CREATE TABLE shared_files (
        project_number INTEGER NOT NULL REFERENCES projects (number) ON DELETE CASCADE,
        root           TEXT NOT NULL,
        path_hash      TEXT NOT NULL,
        memory_id      TEXT NOT NULL,
        file_id        TEXT NOT NULL,
        file_hash      TEXT NOT NULL,
        memory_hash    TEXT NOT NULL,
        PRIMARY KEY (project_number, root, path_hash)
      ) STRICT, WITHOUT ROWID`,
      "CREATE INDEX shared_files_by_memory ON shared_files (project_number, memory_id)",
      // Every version of a shared file that was ever agreed upon, to know an older branch from a change.
      `CREATE TABLE shared_versions (
        project_number INTEGER NOT NULL REFERENCES projects (number) ON DELETE CASCADE,
        memory_id      TEXT NOT NULL,
        file_hash      TEXT NOT NULL,
        PRIMARY KEY (project_number, memory_id, file_hash)
      ) STRICT, WITHOUT ROWID`,
      // What the folder looked like when it was last read, and what was wrong with it.
      `CREATE TABLE shared_folders (
        project_number INTEGER NOT NULL REFERENCES projects (number) ON DELETE CASCADE,
        root           TEXT NOT NULL,
        fingerprint    TEXT NOT NULL,
        problems       TEXT NOT NULL,
        PRIMARY KEY (project_number, root)
      ) STRICT, WITHOUT ROWID`,
    ],
  },
  {
    number: 3,
    name: "vectors",
    statements: [
      // The models whose vectors this store has held. Which one is active is in store_state: "embedding_model".
      // ready_at: when every memory had a vector of this model for the first time. failure: what went wrong last.
      `CREATE TABLE embedding_models (
        number               INTEGER PRIMARY KEY,
        id                   TEXT NOT NULL UNIQUE,
        dimensions           INTEGER NOT NULL,
        candidate_dimensions INTEGER,
        ready_at             TEXT,
        failed_at            TEXT,
        failure              TEXT
      ) STRICT`,

      // The model that made a memory's vector; NULL: none yet, or of an older text.
      "ALTER TABLE memories ADD COLUMN embedded_by INTEGER",
      "CREATE INDEX memories_by_embedder ON memories (embedded_by) WHERE forgotten_at IS NULL",

      // Derived from the rows, by a model. code: one bit a dimension. change: counts up with every vector (store_state:
      // "vector_change"), so that a process which holds the codes reads only what is new.
      `CREATE TABLE memory_vectors (
        memory_key     INTEGER PRIMARY KEY REFERENCES memories (key) ON DELETE CASCADE,
        project_number INTEGER NOT NULL,
        model_number   INTEGER NOT NULL REFERENCES embedding_models (number),
        change         INTEGER NOT NULL,
        code           BLOB NOT NULL,
        vector         BLOB NOT NULL,
        CHECK (length(code) = (length(vector) + 31) / 32)
      ) STRICT`,
      // Covers the code: a vector is thirty-two times as long, and a scan must not read it.
      "CREATE INDEX memory_vectors_by_change ON memory_vectors (project_number, change, model_number, memory_key, code)",

      // A vector says what the text said. Whoever changes the text, the vector goes with it.
      `CREATE TRIGGER memory_text_changed AFTER UPDATE OF content, type, related_files, related_modules ON memories
        WHEN old.embedded_by IS NOT NULL AND (old.content <> new.content OR old.type <> new.type
          OR old.related_files <> new.related_files OR old.related_modules <> new.related_modules)
        BEGIN
          DELETE FROM memory_vectors WHERE memory_key = old.key;
          UPDATE memories SET embedded_by = NULL WHERE key = old.key;
        END`,

      `CREATE TABLE embedding_cache (
        key        TEXT PRIMARY KEY,
        vector     BLOB NOT NULL,
        expires_at TEXT NOT NULL
      ) STRICT, WITHOUT ROWID`,
      "CREATE INDEX embedding_cache_by_expiry ON embedding_cache (expires_at)",
      // What is purged leaves no vector behind either, and whose a cached one is, nobody knows.
      `CREATE TRIGGER memory_removed AFTER DELETE ON memories BEGIN DELETE FROM embedding_cache; END`,

      // What language models were asked, by day and purpose. No text is kept.
      `CREATE TABLE model_calls (
        day           TEXT NOT NULL,
        model         TEXT NOT NULL,
        purpose       TEXT NOT NULL,
        calls         INTEGER NOT NULL,
        failures      INTEGER NOT NULL,
        input_tokens  INTEGER NOT NULL,
        output_tokens INTEGER NOT NULL,
        PRIMARY KEY (day, model, purpose)
      ) STRICT, WITHOUT ROWID`,

      // How recall answered, by day: of no question more than that it was asked.
      `CREATE TABLE recall_counts (
        project_number INTEGER NOT NULL REFERENCES projects (number) ON DELETE CASCADE,
        day            TEXT NOT NULL,
        mode           TEXT NOT NULL,
        questions      INTEGER NOT NULL,
        unanswered     INTEGER NOT NULL,
        lifted         INTEGER NOT NULL,
        top_changed    INTEGER NOT NULL,
        PRIMARY KEY (project_number, day, mode)
      ) STRICT, WITHOUT ROWID`,

      // The turns before and after a memory in its session.
      "CREATE INDEX memories_by_turn ON memories (project_number, session_id, created_at, key) WHERE session_id IS NOT NULL",
      "DROP INDEX memories_by_session",
    ],
  },
  codeGraph,
  observer,
  injection,
  conversation,
  codeMeaning,
  quarantine,
  followUp,
  held,
  folders,
];
