import type { Migration } from "./migrations.js";

export const followUp: Migration = {
  number: 10,
  name: "follow-up",
  statements: [
    // New statements that a configured model is still to be asked about: written with the memory, removed once it has answered.
    // claimed_at: by a process that asks just now. attempts: how often it was asked.
    `CREATE TABLE contradiction_checks (
      memory_key INTEGER PRIMARY KEY REFERENCES memories (key) ON DELETE CASCADE,
      claimed_at TEXT,
      attempts   INTEGER NOT NULL DEFAULT 0
    ) STRICT`,

    // How many changes its MEMORY.md may have to tell of, and up to which of them it does.
    "ALTER TABLE layer_folders ADD COLUMN changes INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE layer_folders ADD COLUMN written INTEGER NOT NULL DEFAULT 0",
  ],
};
