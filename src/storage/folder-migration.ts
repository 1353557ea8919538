import type { Migration } from "./migrations.js";

export const folders: Migration = {
  number: 12,
  name: "folders",
  statements: [
    // The folders that a project is known to have: the one that founded it, and those that a person confirmed. "path:…".
    `CREATE TABLE known_folders (
      project_number INTEGER NOT NULL REFERENCES projects (number) ON DELETE CASCADE,
      folder         TEXT NOT NULL,
      PRIMARY KEY (project_number, folder)
    ) STRICT, WITHOUT ROWID`,
    // Whoever used a folder before folders had to be confirmed goes on with it. One that held another repository earlier has its
    // key at that project, and may be indexed for this one.
    `INSERT INTO known_folders (project_number, folder)
     SELECT project_number, key FROM project_keys WHERE key LIKE 'path:%'
     UNION SELECT project_number, folder FROM accepted_folders
     UNION SELECT project_number,
       'path:' || CASE WHEN root GLOB '[A-Za-z]:*' THEN replace(root, '\\', '/') ELSE root END FROM code_trees`,

    // 0: the folder counts, but what its own files say to agents (CLAUDE.md, README …) nobody has looked at.
    "ALTER TABLE accepted_folders ADD COLUMN with_rules INTEGER NOT NULL DEFAULT 1",

    // The values in a project's configuration file that a person has set or accepted, as JSON. Another value is not.
    `CREATE TABLE accepted_settings (
      folder TEXT NOT NULL,
      name   TEXT NOT NULL,
      value  TEXT NOT NULL,
      PRIMARY KEY (folder, name)
    ) STRICT, WITHOUT ROWID`,

    // Whose shared memories count without a review, by the address that git knows them by.
    `CREATE TABLE trusted_authors (
      project_number INTEGER NOT NULL REFERENCES projects (number) ON DELETE CASCADE,
      email          TEXT NOT NULL,
      PRIMARY KEY (project_number, email)
    ) STRICT, WITHOUT ROWID`,
    // Texts of shared files that a person has not looked at yet, has approved (until they are imported) or refused, by work
    // tree. memory_id: the memory that shows such a text for review. target_id: the one that the file stands for.
    `CREATE TABLE shared_reviews (
      project_number INTEGER NOT NULL REFERENCES projects (number) ON DELETE CASCADE,
      root           TEXT NOT NULL,
      file_hash      TEXT NOT NULL,
      memory_id      TEXT,
      target_id      TEXT,
      shared_by      TEXT,
      answer         TEXT CHECK (answer IN ('approved', 'refused')),
      PRIMARY KEY (project_number, root, file_hash)
    ) STRICT, WITHOUT ROWID`,
    "CREATE INDEX shared_reviews_by_memory ON shared_reviews (memory_id)",
  ],
};
