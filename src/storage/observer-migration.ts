import type { Migration } from "./migrations.js";

export const observer: Migration = {
  number: 5,
  name: "observer",
  statements: [
    // A session of an agent, as it ended. rereads: reads of files that earlier sessions had read. qa_first_pass: NULL where
    // nothing was checked.
    `CREATE TABLE observer_sessions (
      number              INTEGER PRIMARY KEY,
      project_number      INTEGER NOT NULL REFERENCES projects (number) ON DELETE CASCADE,
      session_id          TEXT NOT NULL,
      type                TEXT NOT NULL,
      agent               TEXT,
      outcome             TEXT NOT NULL,
      started_at          TEXT NOT NULL,
      ended_at            TEXT NOT NULL,
      events              INTEGER NOT NULL,
      tool_calls          INTEGER NOT NULL,
      files               INTEGER NOT NULL,
      rereads             INTEGER NOT NULL,
      steps_planned       INTEGER,
      steps_done          INTEGER NOT NULL,
      input_tokens        INTEGER NOT NULL,
      output_tokens       INTEGER NOT NULL,
      qa_first_pass       INTEGER,
      dead_ends_reentered INTEGER NOT NULL,
      outside             TEXT,
      UNIQUE (project_number, session_id)
    ) STRICT`,

    // The spools that were taken in, so that none is taken in twice.
    `CREATE TABLE observer_spools (
      id             TEXT PRIMARY KEY,
      session_number INTEGER NOT NULL REFERENCES observer_sessions (number) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID`,
    "CREATE INDEX observer_spools_by_session ON observer_spools (session_number)",

    // written: 'clean' where an agent wrote the file from what was not from outside, 'tainted' where it was.
    `CREATE TABLE observer_files (
      project_number INTEGER NOT NULL REFERENCES projects (number) ON DELETE CASCADE,
      path           TEXT NOT NULL,
      accesses       INTEGER NOT NULL,
      edits          INTEGER NOT NULL,
      sessions       INTEGER NOT NULL,
      written        TEXT,
      last_at        TEXT NOT NULL,
      PRIMARY KEY (project_number, path)
    ) STRICT, WITHOUT ROWID`,

    // Two files of one session, the smaller path first. in_order: in how many sessions that one came first. weight: of the
    // sessions that had one of them, the share that had both.
    `CREATE TABLE observer_co_access (
      project_number INTEGER NOT NULL REFERENCES projects (number) ON DELETE CASCADE,
      file_a         TEXT NOT NULL,
      file_b         TEXT NOT NULL,
      sessions       INTEGER NOT NULL,
      in_order       INTEGER NOT NULL,
      edited         INTEGER NOT NULL,
      weight         REAL NOT NULL,
      mean_delay_ms  REAL NOT NULL,
      task_types     TEXT NOT NULL,
      last_at        TEXT NOT NULL,
      promoted_at    TEXT,
      PRIMARY KEY (project_number, file_a, file_b)
    ) STRICT, WITHOUT ROWID`,
    "CREATE INDEX observer_co_access_by_other ON observer_co_access (project_number, file_b)",

    `CREATE TABLE observer_errors (
      project_number INTEGER NOT NULL REFERENCES projects (number) ON DELETE CASCADE,
      fingerprint    TEXT NOT NULL,
      tool           TEXT NOT NULL,
      message        TEXT NOT NULL,
      file           TEXT,
      occurrences    INTEGER NOT NULL,
      sessions       INTEGER NOT NULL,
      resolved_how   TEXT,
      last_at        TEXT NOT NULL,
      PRIMARY KEY (project_number, fingerprint)
    ) STRICT, WITHOUT ROWID`,

    `CREATE TABLE observer_modules (
      project_number INTEGER NOT NULL REFERENCES projects (number) ON DELETE CASCADE,
      module         TEXT NOT NULL,
      sessions       INTEGER NOT NULL,
      last_at        TEXT NOT NULL,
      PRIMARY KEY (project_number, module)
    ) STRICT, WITHOUT ROWID`,

    // What signals saw, by what it is about. memory_id: what was made of it; a purged memory takes its evidence with it.
    `CREATE TABLE observer_subjects (
      number         INTEGER PRIMARY KEY,
      project_number INTEGER NOT NULL REFERENCES projects (number) ON DELETE CASCADE,
      signal         TEXT NOT NULL,
      subject        TEXT NOT NULL,
      memory_id      TEXT REFERENCES memories (id) ON DELETE CASCADE,
      promoted_at    TEXT,
      last_at        TEXT NOT NULL,
      UNIQUE (project_number, signal, subject)
    ) STRICT`,
    "CREATE INDEX observer_subjects_by_memory ON observer_subjects (memory_id)",

    // The error that a purged memory tells of goes with its evidence; a synthesis calls it 'error: …'.
    `CREATE TRIGGER observer_error_removed AFTER DELETE ON observer_subjects
    WHEN old.signal = 'error-retry' OR (old.signal = 'synthesis' AND old.subject LIKE 'error: %') BEGIN
      DELETE FROM observer_errors WHERE project_number = old.project_number
        AND fingerprint = CASE old.signal WHEN 'synthesis' THEN substr(old.subject, 8) ELSE old.subject END;
    END`,

    // What one session showed of a subject. outside: where its content came from, if not from the project. agents: how many
    // agents of the session saw it.
    `CREATE TABLE observer_sightings (
      subject_number INTEGER NOT NULL REFERENCES observer_subjects (number) ON DELETE CASCADE,
      session_number INTEGER NOT NULL REFERENCES observer_sessions (number) ON DELETE CASCADE,
      at             TEXT NOT NULL,
      agents         INTEGER NOT NULL,
      outside        TEXT,
      data           TEXT NOT NULL,
      evidence       TEXT NOT NULL,
      PRIMARY KEY (subject_number, session_number)
    ) STRICT, WITHOUT ROWID`,
    "CREATE INDEX observer_sightings_by_session ON observer_sightings (session_number)",

    // What a person never wants to hear of again: hashes, so that nothing of a purged memory stays.
    `CREATE TABLE observer_refusals (
      project_number INTEGER NOT NULL REFERENCES projects (number) ON DELETE CASCADE,
      mark           TEXT NOT NULL,
      PRIMARY KEY (project_number, mark)
    ) STRICT, WITHOUT ROWID`,

    // Which syntheses were made: of a module at a number of sessions ('at 10'), of a pair of modules in a week ('week 2026-46').
    `CREATE TABLE observer_syntheses (
      project_number INTEGER NOT NULL REFERENCES projects (number) ON DELETE CASCADE,
      module         TEXT NOT NULL,
      occasion       TEXT NOT NULL,
      made_at        TEXT NOT NULL,
      memories       INTEGER NOT NULL,
      PRIMARY KEY (project_number, module, occasion)
    ) STRICT, WITHOUT ROWID`,
  ],
};
