import type { Migration } from "./migrations.js";

export const quarantine: Migration = {
  number: 9,
  name: "quarantine",
  statements: [
    // The bytes of texts that a disk damaged, as they were found, before a repair put something readable in their place.
    // memory_key: whose text it was, so that purging a memory takes them along.
    `CREATE TABLE quarantine (
      number      INTEGER PRIMARY KEY,
      memory_key  INTEGER REFERENCES memories (key) ON DELETE CASCADE,
      table_name  TEXT NOT NULL,
      row_name    TEXT NOT NULL,
      column_name TEXT NOT NULL,
      bytes       BLOB NOT NULL,
      found_at    TEXT NOT NULL
    ) STRICT`,
    "CREATE INDEX quarantine_by_memory ON quarantine (memory_key)",
    // Whose the others are, nobody knows; what is purged leaves no byte behind.
    `CREATE TRIGGER memory_removed_for_good AFTER DELETE ON memories BEGIN
      DELETE FROM quarantine WHERE memory_key IS NULL;
    END`,
  ],
};
