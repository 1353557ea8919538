import type { Migration } from "./migrations.js";

export const codeMeaning: Migration = {
  number: 8,
  name: "code meaning",
  statements: [
    // What a file adds to a space that several files share: a package of Go or Java, a namespace of C#, the members that an
    // `impl` of Rust gives a type.
    `CREATE TABLE code_spaces (
      tree_number INTEGER NOT NULL,
      space       TEXT NOT NULL,
      name        TEXT NOT NULL,
      file_number INTEGER NOT NULL REFERENCES code_files (number) ON DELETE CASCADE,
      PRIMARY KEY (tree_number, space, name, file_number)
    ) STRICT, WITHOUT ROWID`,
    "CREATE INDEX code_spaces_by_file ON code_spaces (file_number)",

    // What a SCIP index says of a file, as JSON, and the hash of the text that it was made of: for another text it counts
    // for nothing.
    `CREATE TABLE code_scip (
      file_number INTEGER PRIMARY KEY REFERENCES code_files (number) ON DELETE CASCADE,
      hash        TEXT NOT NULL,
      said        TEXT NOT NULL
    ) STRICT`,
    // The names that SCIP has for what is defined here, the same in every index of every project.
    `CREATE TABLE code_scip_symbols (
      tree_number INTEGER NOT NULL,
      symbol      TEXT NOT NULL,
      file_number INTEGER NOT NULL REFERENCES code_files (number) ON DELETE CASCADE,
      node_path   TEXT NOT NULL,
      PRIMARY KEY (tree_number, symbol, file_number)
    ) STRICT, WITHOUT ROWID`,
    "CREATE INDEX code_scip_symbols_by_file ON code_scip_symbols (file_number)",

    // What a language model says that a module is for. Of the project, not of a work tree. name is unique without regard to
    // case; made_from is a hash of what the model was asked about.
    `CREATE TABLE module_purposes (
      project_number INTEGER NOT NULL REFERENCES projects (number) ON DELETE CASCADE,
      name           TEXT NOT NULL COLLATE NOCASE,
      purpose        TEXT NOT NULL,
      confidence     REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
      made_at        TEXT NOT NULL,
      made_from      TEXT NOT NULL,
      PRIMARY KEY (project_number, name)
    ) STRICT, WITHOUT ROWID`,

    // Edges that no parser finds. Ends are ids, such as `src/a.ts#open` and `pattern:retry`, so that they outlive the rows
    // of the files they name.
    `CREATE TABLE code_meanings (
      project_number INTEGER NOT NULL REFERENCES projects (number) ON DELETE CASCADE,
      from_id        TEXT NOT NULL,
      kind           TEXT NOT NULL,
      to_id          TEXT NOT NULL,
      source         TEXT NOT NULL CHECK (source IN ('llm', 'person')),
      confidence     REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
      made_at        TEXT NOT NULL,
      PRIMARY KEY (project_number, from_id, kind, to_id)
    ) STRICT, WITHOUT ROWID`,
    "CREATE INDEX code_meanings_by_target ON code_meanings (project_number, to_id)",

    // The map of the code that an agent is told at the start of a session, which has no time to draw one: 5,000 files take
    // more than the deadline. writes: how often an indexing had written then.
    `CREATE TABLE code_maps (
      tree_number   INTEGER PRIMARY KEY REFERENCES code_trees (number) ON DELETE CASCADE,
      text          TEXT NOT NULL,
      budget_tokens INTEGER NOT NULL,
      writes        INTEGER NOT NULL,
      made_at       TEXT NOT NULL
    ) STRICT`,

    // What a memory was seen to rest on when it was last found true: the files and symbols it names, and what they said, as
    // JSON. node is empty for the mark that tells of which text they were taken, and "?" where names wait for the next
    // indexing.
    `CREATE TABLE memory_grounds (
      memory_key INTEGER NOT NULL REFERENCES memories (key) ON DELETE CASCADE,
      node       TEXT NOT NULL,
      ground     TEXT NOT NULL,
      seen_at    TEXT NOT NULL,
      PRIMARY KEY (memory_key, node)
    ) STRICT, WITHOUT ROWID`,
    "CREATE INDEX memory_grounds_by_node ON memory_grounds (node)",

    // What speaks against a memory in the code as it is now, and against which text of it. Derived: no field of the memory,
    // and gone when the code is back.
    `CREATE TABLE memory_drift (
      memory_key   INTEGER NOT NULL REFERENCES memories (key) ON DELETE CASCADE,
      node         TEXT NOT NULL,
      content_hash TEXT NOT NULL,
      outcome      TEXT NOT NULL CHECK (outcome IN ('moved', 'doubt')),
      reason       TEXT NOT NULL,
      found_at     TEXT NOT NULL,
      PRIMARY KEY (memory_key, node)
    ) STRICT, WITHOUT ROWID`,
  ],
};
