import type { Migration } from "./migrations.js";

export const held: Migration = {
  number: 11,
  name: "what waits for a merge",
  statements: [
    // What git had when the session began: what it committed itself later is no name that the project knew before.
    "ALTER TABLE observer_sessions ADD COLUMN start_commit TEXT",

    // Whether it asked for work to be merged: a merge that comes later need not be a person's.
    "ALTER TABLE observer_sessions ADD COLUMN asked_merge INTEGER NOT NULL DEFAULT 0",

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

    // What a session that may rest on untrusted words left of the files that it wrote, by git's name for the content: by that,
    // the commit is found that holds it. root: the work tree. blob: empty where that is not known. changed: whether the file was
    // another one when the session began.
    `CREATE TABLE observer_left_files (
      session_number INTEGER NOT NULL REFERENCES observer_sessions (number) ON DELETE CASCADE,
      root           TEXT NOT NULL,
      path           TEXT NOT NULL,
      blob           TEXT NOT NULL,
      changed        INTEGER NOT NULL,
      left_at        TEXT NOT NULL,
      PRIMARY KEY (session_number, root, path, blob)
    ) STRICT, WITHOUT ROWID`,
    "CREATE INDEX observer_left_files_by_path ON observer_left_files (path)",

    // What the remote's default branch was when it was last looked at, and up to which memory.
    `CREATE TABLE observer_merge_checks (
      project_number INTEGER PRIMARY KEY REFERENCES projects (number) ON DELETE CASCADE,
      looked_at      TEXT NOT NULL
    ) STRICT`,
  ],
};
