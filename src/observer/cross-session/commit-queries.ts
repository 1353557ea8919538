import type { Project } from "../../project/project.js";
import type { Reader, Writer } from "../../storage/storage.js";

/** A commit that a session made, as far as it takes to find it again in another form. */
export interface SessionCommit {
  sha: string;
  /** The address of who committed it. */
  committer: string;
  subject: string;
  files: string[];
}

/** Notes where a session began, once: what it committed itself must not pass for what was there. */
export async function noteStartCommit(writer: Writer, sessionNumber: number, commit: string): Promise<void> {
  await writer.run("UPDATE observer_sessions SET start_commit = ifnull(start_commit, :commit) WHERE number = :number", {
    number: BigInt(sessionNumber),
    commit,
  });
}

/** Notes that a session asked for work to be merged. Nothing takes that back. */
export async function noteAskedMerge(writer: Writer, sessionNumber: number): Promise<void> {
  await writer.run("UPDATE observer_sessions SET asked_merge = 1 WHERE number = :number", {
    number: BigInt(sessionNumber),
  });
}

export async function findStartCommit(
  reader: Reader,
  project: Project,
  sessionId: string,
): Promise<string | undefined> {
  const [row] = await reader.rows(
    "SELECT start_commit FROM observer_sessions WHERE project_number = :project AND session_id = :session",
    { project: BigInt(project.number), session: sessionId },
  );
  const commit = row?.["start_commit"] ?? null;
  return commit === null ? undefined : String(commit);
}

export async function addCommits(
  writer: Writer,
  sessionNumber: number,
  commits: readonly SessionCommit[],
): Promise<void> {
  if (commits.length === 0) return;
  await writer.run(
    `INSERT INTO observer_commits (session_number, sha, committer, subject, files)
     SELECT :session, value ->> 'sha', value ->> 'committer', value ->> 'subject', value ->> 'files'
     FROM json_each(:commits) WHERE true ON CONFLICT DO NOTHING`,
    { session: BigInt(sessionNumber), commits: JSON.stringify(commits) },
  );
}

/** A memory that may become active by itself, with the commits of its session. */
export interface HeldMemory {
  key: number;
  /** The number of its session. */
  session: number;
  /** Of the signal that it was made by; absent where an agent stated it. */
  signal?: string;
  reason: string;
  /** The commit that it tells of, where it tells of one. */
  commit?: string;
  startedAt: string;
  commits: SessionCommit[];
  /** Each file that the session changed, as it left it. */
  leftFiles: { path: string; blob: string }[];
}

/** What of what waits may become active by itself. */
export interface Releasable {
  /** Signals whose memories may. What an agent stated has none, and may. */
  signals: readonly string[];
  /** Reasons that none of them survives, but those of these signals. */
  never: { reason: string; but: readonly string[] };
  /** Of a session that left no work to be merged, only what waits for this reason. */
  withoutCommits: string;
  limit: number;
}

/** Memories that wait because of what their session had read, newest first; those that a person rejected are forgotten. */
export async function listHeld(reader: Reader, project: Project, may: Releasable): Promise<HeldMemory[]> {
  const rows = await reader.rows(
    `SELECT * FROM (
       SELECT m.key, e.number AS session, ifnull(m.review_reason, '') AS review_reason, m.commit_sha, e.started_at,
         (SELECT min(o.signal) FROM observer_subjects AS o WHERE o.memory_id = m.id) AS signal,
         (SELECT json_group_array(json_object('sha', c.sha, 'committer', c.committer, 'subject', c.subject,
            'files', json(c.files))) FROM observer_commits AS c WHERE c.session_number = e.number) AS commits,
         (SELECT json_group_array(json_object('path', l.path, 'blob', l.blob)) FROM observer_left_files AS l
            WHERE l.session_number = e.number AND l.changed = 1) AS left_files
       FROM memories AS m JOIN observer_sessions AS e
         ON e.project_number = m.project_number AND e.session_id = m.session_id
       WHERE m.project_number = :project AND m.session_id IS NOT NULL AND m.review_state = 'pending'
         AND m.user_verified = 0 AND m.forgotten_at IS NULL AND m.trust_flags LIKE '%"tainted"%')
     WHERE (signal IS NULL OR signal IN (SELECT value FROM json_each(:signals)))
       AND (instr(review_reason, :never) = 0 OR signal IN (SELECT value FROM json_each(:but)))
       AND (commits <> '[]' OR left_files <> '[]' OR instr(review_reason, :withoutCommits) = 1)
     ORDER BY key DESC LIMIT :limit`,
    {
      project: BigInt(project.number),
      signals: JSON.stringify(may.signals),
      never: may.never.reason,
      but: JSON.stringify(may.never.but),
      withoutCommits: may.withoutCommits,
      limit: BigInt(may.limit),
    },
  );
  return rows.map((row) => {
    const signal = row["signal"] ?? null;
    const commit = row["commit_sha"] ?? null;
    return {
      key: Number(row["key"]),
      session: Number(row["session"]),
      ...(signal !== null && { signal: String(signal) }),
      ...(commit !== null && { commit: String(commit) }),
      reason: String(row["review_reason"]),
      startedAt: String(row["started_at"]),
      commits: JSON.parse(String(row["commits"])) as SessionCommit[],
      leftFiles: JSON.parse(String(row["left_files"])) as HeldMemory["leftFiles"],
    };
  });
}

/** What was looked at last: the tip of the default branch, the newest memory that waited, and when, where git was late. */
export async function findMergeCheck(reader: Reader, project: Project): Promise<string | undefined> {
  const [row] = await reader.rows("SELECT looked_at FROM observer_merge_checks WHERE project_number = :project", {
    project: BigInt(project.number),
  });
  return row && String(row["looked_at"]);
}

export async function noteMergeCheck(writer: Writer, project: Project, lookedAt: string): Promise<void> {
  await writer.run(
    `INSERT INTO observer_merge_checks (project_number, looked_at) VALUES (:project, :lookedAt)
     ON CONFLICT (project_number) DO UPDATE SET looked_at = excluded.looked_at`,
    { project: BigInt(project.number), lookedAt },
  );
}
