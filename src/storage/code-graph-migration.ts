import type { Migration } from "./migrations.js";

export const codeGraph: Migration = {
  number: 4,
  name: "code graph",
  statements: [
    // A work tree as it was indexed. settings: a hash of the files that module resolution reads. completed_at: when every
    // file was in for the first time. counted_commit: how far git's history was read. writes: how often an indexing has
    // written; one that finds more than its own begins anew.
    `CREATE TABLE code_trees (
      number         INTEGER PRIMARY KEY CHECK (number BETWEEN 1 AND 1048575),
      project_number INTEGER NOT NULL REFERENCES projects (number) ON DELETE CASCADE,
      root           TEXT NOT NULL,
      settings       TEXT NOT NULL,
      commit_sha     TEXT,
      branch         TEXT,
      indexed_at     TEXT NOT NULL,
      completed_at   TEXT,
      counted_commit TEXT,
      writes         INTEGER NOT NULL DEFAULT 0,
      UNIQUE (project_number, root)
    ) STRICT`,

    // state: "whole", "partial" (what could be parsed), "text" (no grammar), "skipped". problem says why. extractor: the
    // version that read it. surface: a hash of what other files can see of it.
    `CREATE TABLE code_files (
      number      INTEGER PRIMARY KEY,
      tree_number INTEGER NOT NULL REFERENCES code_trees (number) ON DELETE CASCADE,
      path        TEXT NOT NULL,
      language    TEXT,
      hash        TEXT NOT NULL,
      extractor   TEXT NOT NULL,
      size        INTEGER NOT NULL,
      modified_ms REAL NOT NULL,
      read_ms     REAL NOT NULL,
      state       TEXT NOT NULL,
      problem     TEXT,
      surface     TEXT NOT NULL,
      is_linked   INTEGER NOT NULL,
      UNIQUE (tree_number, path)
    ) STRICT`,

    // What a file says of itself, as JSON. Apart from the rows that every look at the tree goes through.
    `CREATE TABLE code_facts (
      file_number INTEGER PRIMARY KEY REFERENCES code_files (number) ON DELETE CASCADE,
      facts       TEXT NOT NULL
    ) STRICT`,

    // path is empty for the file itself. A node keeps its number as long as its path stays in its file.
    `CREATE TABLE code_nodes (
      number      INTEGER PRIMARY KEY,
      file_number INTEGER NOT NULL REFERENCES code_files (number) ON DELETE CASCADE,
      path        TEXT NOT NULL,
      name        TEXT NOT NULL,
      kind        TEXT NOT NULL,
      start_line  INTEGER NOT NULL,
      end_line    INTEGER NOT NULL,
      fingerprint TEXT,
      UNIQUE (file_number, path)
    ) STRICT`,
    "CREATE INDEX code_nodes_by_name ON code_nodes (name)",

    `CREATE TABLE code_edges (
      from_node  INTEGER NOT NULL REFERENCES code_nodes (number) ON DELETE CASCADE,
      kind       TEXT NOT NULL,
      to_node    INTEGER NOT NULL REFERENCES code_nodes (number) ON DELETE CASCADE,
      tier       TEXT NOT NULL,
      confidence REAL NOT NULL,
      source     TEXT NOT NULL,
      line       INTEGER,
      PRIMARY KEY (from_node, kind, to_node)
    ) STRICT, WITHOUT ROWID`,
    "CREATE INDEX code_edges_by_target ON code_edges (to_node, kind, from_node, confidence, line)",

    // Uses that lead to nothing known: so many sites of a file, by the name that they use.
    `CREATE TABLE code_misses (
      file_number INTEGER NOT NULL REFERENCES code_files (number) ON DELETE CASCADE,
      node_path   TEXT NOT NULL,
      kind        TEXT NOT NULL,
      name        TEXT NOT NULL,
      sites       INTEGER NOT NULL,
      PRIMARY KEY (file_number, node_path, kind, name)
    ) STRICT, WITHOUT ROWID`,
    "CREATE INDEX code_misses_by_name ON code_misses (name)",

    // From what the edges of a file were found. When it changes, the file is linked anew.
    `CREATE TABLE code_dependencies (
      tree_number INTEGER NOT NULL,
      key         TEXT NOT NULL,
      file_number INTEGER NOT NULL REFERENCES code_files (number) ON DELETE CASCADE,
      PRIMARY KEY (tree_number, key, file_number)
    ) STRICT, WITHOUT ROWID`,
    "CREATE INDEX code_dependencies_by_file ON code_dependencies (file_number)",

    // Which classes parameters of a name have, by file.
    `CREATE TABLE code_votes (
      tree_number INTEGER NOT NULL,
      parameter   TEXT NOT NULL,
      shape       TEXT NOT NULL,
      file_number INTEGER NOT NULL REFERENCES code_files (number) ON DELETE CASCADE,
      votes       INTEGER NOT NULL,
      PRIMARY KEY (tree_number, parameter, shape, file_number)
    ) STRICT, WITHOUT ROWID`,
    "CREATE INDEX code_votes_by_file ON code_votes (file_number)",

    // Files that change together, by path: history outlives a file's rows. support: in how many commits; confidence: of
    // those that changed the file.
    `CREATE TABLE code_companions (
      tree_number INTEGER NOT NULL REFERENCES code_trees (number) ON DELETE CASCADE,
      path        TEXT NOT NULL,
      companion   TEXT NOT NULL,
      support     INTEGER NOT NULL,
      confidence  REAL NOT NULL,
      PRIMARY KEY (tree_number, path, companion)
    ) STRICT, WITHOUT ROWID`,

    // What an indexing has changed, renamed or moved, until whatever hangs on it has followed.
    `CREATE TABLE code_news (
      number      INTEGER PRIMARY KEY AUTOINCREMENT,
      tree_number INTEGER NOT NULL REFERENCES code_trees (number) ON DELETE CASCADE,
      news        TEXT NOT NULL
    ) STRICT`,

    // What an indexing in parts has seen go and appear, until all of it is in and it can be told what has moved.
    `CREATE TABLE code_sightings (
      number      INTEGER PRIMARY KEY,
      tree_number INTEGER NOT NULL REFERENCES code_trees (number) ON DELETE CASCADE,
      seen        TEXT NOT NULL
    ) STRICT`,

    // Every line of a file is in one chunk. Its text stays in the file. number = tree number × 2^32 + n, so that full text
    // search can be kept inside one tree. embedded_by: the model of its vector.
    `CREATE TABLE code_chunks (
      number      INTEGER PRIMARY KEY,
      file_number INTEGER NOT NULL REFERENCES code_files (number) ON DELETE CASCADE,
      type        TEXT NOT NULL,
      name        TEXT NOT NULL,
      start_line  INTEGER NOT NULL,
      end_line    INTEGER NOT NULL,
      text_hash   TEXT NOT NULL,
      embedded_by INTEGER
    ) STRICT`,
    "CREATE INDEX code_chunks_by_file ON code_chunks (file_number, start_line)",
    // Worktrees of one project have mostly the same texts, and a vector is made once for all of them.
    "CREATE INDEX code_chunks_by_text ON code_chunks (text_hash)",
    `CREATE VIRTUAL TABLE code_words USING fts5 (content, name, path, tokenize = "ascii")`,
    "INSERT INTO code_words (code_words, rank) VALUES ('secure-delete', 1)",
    "CREATE VIRTUAL TABLE code_vocabulary USING fts5vocab (code_words, 'row')",
    "CREATE TRIGGER code_chunk_removed AFTER DELETE ON code_chunks BEGIN DELETE FROM code_words WHERE rowid = old.number; END",
    `CREATE TABLE code_vectors (
      chunk_number INTEGER PRIMARY KEY REFERENCES code_chunks (number) ON DELETE CASCADE,
      model_number INTEGER NOT NULL REFERENCES embedding_models (number),
      vector       BLOB NOT NULL
    ) STRICT`,

    // Which memories hang on a file or a symbol.
    "CREATE INDEX memory_relations_by_file ON memory_relations (target_file)",
    // Facets of kind 'node', which the memories that were there before do not have yet.
    `INSERT INTO memory_facets (project_number, kind, value, memory_key)
     SELECT DISTINCT m.project_number, 'node', node.value, m.key
     FROM memories AS m, json_each(m.graph_nodes) AS node WHERE m.graph_nodes <> '[]'`,
  ],
};
