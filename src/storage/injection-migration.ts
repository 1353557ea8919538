import type { Migration } from "./migrations.js";

export const injection: Migration = {
  number: 6,
  name: "injection",
  statements: [
    // What an agent was told without asking. agent_id: which of several in the session; NULL: the main one. spool_id and
    // place: which note of which spool it was, so that none is written twice. files: how many came with it. in_mind: 0 where
    // what the agent had in mind was summed up since.
    `CREATE TABLE injections (
      number         INTEGER PRIMARY KEY,
      project_number INTEGER NOT NULL REFERENCES projects (number) ON DELETE CASCADE,
      session_id     TEXT NOT NULL,
      agent_id       TEXT,
      spool_id       TEXT NOT NULL,
      place          INTEGER NOT NULL,
      at             TEXT NOT NULL,
      point          TEXT NOT NULL,
      trigger_name   TEXT,
      files          INTEGER NOT NULL,
      tokens         INTEGER NOT NULL,
      in_mind        INTEGER NOT NULL,
      UNIQUE (spool_id, place)
    ) STRICT`,
    "CREATE INDEX injections_by_session ON injections (project_number, session_id)",
    "CREATE INDEX injections_by_time ON injections (project_number, at)",

    // used: 'cited' where the agent named the memory, 'followed' where it did what the memory is about; NULL where neither
    // was seen. saved_tokens: what finding it out had cost before, where it was used and that is known.
    `CREATE TABLE injected_memories (
      injection_number INTEGER NOT NULL REFERENCES injections (number) ON DELETE CASCADE,
      memory_id        TEXT NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
      tokens           INTEGER NOT NULL,
      used             TEXT,
      saved_tokens     INTEGER NOT NULL,
      PRIMARY KEY (injection_number, memory_id)
    ) STRICT, WITHOUT ROWID`,
    "CREATE INDEX injected_memories_by_memory ON injected_memories (memory_id)",
  ],
};
