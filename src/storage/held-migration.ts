import type { Migration } from "./migrations.js";

export const held: Migration = {
  number: 11,
  name: "what waits for a merge",
  statements: [
    // What git had when the session began: what it committed itself later is no name that the project knew before.
    "ALTER TABLE observer_sessions ADD COLUMN start_commit TEXT",

    // The commits that a session made, by which it is seen that somebody else merged its work. subject and files find it
    // again where it was squashed.
    `CREATE TABLE observer_commits (
      session_number INTEGER NOT NULL REFERENCES observer_sessions (number) ON DELETE CASCADE,
      sha            TEXT NOT NULL,
      committer      TEXT NOT NULL,
      subject        TEXT NOT NULL,
      files          TEXT NOT NULL,
      PRIMARY KEY (session_number, sha)
    ) STRICT, WITHOUT ROWID`,

    // What the remote's default branch was when it was last looked at, and up to which memory.
    `CREATE TABLE observer_merge_checks (
      project_number INTEGER PRIMARY KEY REFERENCES projects (number) ON DELETE CASCADE,
      looked_at      TEXT NOT NULL
    ) STRICT`,
  ],
};
