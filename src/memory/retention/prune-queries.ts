import type { Reader } from "../../storage/storage.js";
import { earnedConfidenceSql, prunedAfterHalfLives, halfLifeSql, lastUsedSql } from "../record/decay.js";
import { isPendingReviewSql } from "../record/trust.js";
import { graceDays } from "./forget.js";
import { isArchived } from "../read/memory-filter.js";
import { keyRange } from "../read/memory-queries.js";
import type { Project } from "../../project/project.js";

const dayMs = 86_400_000;

/** True for a relation to a memory that is there, unless a person has forgotten it: what Tacit let go by itself counts. */
const joinsSql = `NOT (r.kind = 'similar' AND r.automatic = 1)
      AND (other.forgotten_at IS NULL OR other.forgotten_reason IS NOT NULL)`;

/**
 * What is never removed without being asked: what is pinned or verified, what is shared (its file would look as if a
 * person had let it go), and what is linked, one way or the other, to a memory that is still there. As SQL over
 * `memories AS m`.
 */
const isProtectedSql = `(m.pinned = 1 OR m.user_verified = 1
  OR EXISTS (SELECT 1 FROM shared_files AS f WHERE f.project_number = m.project_number AND f.memory_id = m.id)
  OR EXISTS (
    SELECT 1 FROM memory_relations AS r JOIN memories AS other ON other.key = r.memory_key
    WHERE r.target_memory = m.id AND ${joinsSql}
    UNION ALL
    SELECT 1 FROM memory_relations AS r JOIN memories AS other ON other.id = r.target_memory
    WHERE r.memory_key = m.key AND ${joinsSql}))`;

/** True for a forgotten memory that pruning leaves alone, because Tacit forgot it by itself and it is worth keeping. */
export async function isProtected(reader: Reader, key: number): Promise<boolean> {
  const rows = await reader.rows(
    `SELECT 1 FROM memories AS m WHERE m.key = :key AND m.forgotten_reason IS NOT NULL AND ${isProtectedSql}`,
    { key },
  );
  return rows.length > 0;
}

/** Memories that nobody used for three half-lives. */
export async function listFaded(reader: Reader, project: Project, now: Date): Promise<number[]> {
  return keys(
    await reader.rows(
      `SELECT m.key FROM memories AS m
       WHERE m.key BETWEEN :first AND :last AND m.forgotten_at IS NULL
         AND julianday(:now) - julianday(${lastUsedSql}) > ${prunedAfterHalfLives} * (${halfLifeSql})
       ORDER BY m.key`,
      { ...keyRange(project), now: now.toISOString() },
    ),
  );
}

/** Forgotten memories whose grace is over. What somebody asked to forget goes, whatever else it is. */
export async function listForgottenForGood(reader: Reader, project: Project, now: Date): Promise<number[]> {
  return keys(
    await reader.rows(
      `SELECT m.key FROM memories AS m
       WHERE m.project_number = :project AND m.forgotten_at < :end AND (m.forgotten_reason IS NULL OR NOT ${isProtectedSql})
       ORDER BY m.key`,
      { project: project.number, end: daysBefore(now, graceDays) },
    ),
  );
}

/** Memories that expired so many days ago. */
export async function listLongExpired(
  reader: Reader,
  project: Project,
  cleanupDays: number,
  now: Date,
): Promise<number[]> {
  return keys(
    await reader.rows(
      `SELECT m.key FROM memories AS m
       WHERE m.project_number = :project AND m.expires_at < :end AND m.forgotten_at IS NULL AND NOT ${isProtectedSql}
         AND NOT ${isArchived}
       ORDER BY m.key`,
      { project: project.number, end: daysBefore(now, cleanupDays) },
    ),
  );
}

/**
 * True for a turn with its place in a conversation, and for an archive that leads to turns. There is no end to talk, and nothing
 * of it may be missing; turns expire by themselves. As SQL over `memories AS m`.
 */
const isConversationSql = `(EXISTS (SELECT 1 FROM conversation_turns AS t WHERE t.memory_key = m.key)
  OR EXISTS (SELECT 1 FROM conversation_archives AS x WHERE x.memory_key = m.key))`;

/**
 * The memories in force that are least worth keeping, beyond the number that may stay: those of which least confidence
 * is left, then the least used, then the oldest. Never what is pinned or verified, nor what has just come; what is
 * going anyway does not count, nor does what was said in a conversation. What waits for a person goes first, and nothing that
 * speaks goes for it; with `onlyPending` nothing else does, however many there are.
 */
export async function listLeastWorth(
  reader: Reader,
  project: Project,
  mayStay: number,
  now: Date,
  { going = [], coming = [], onlyPending = false }: { going?: number[]; coming?: number[]; onlyPending?: boolean } = {},
): Promise<number[]> {
  const inForce = `m.project_number = :project AND m.forgotten_at IS NULL AND m.valid_until IS NULL
    AND (m.expires_at IS NULL OR m.expires_at > :now OR ${isArchived}) AND m.key NOT IN (SELECT value FROM json_each(:going))
    AND NOT ${isConversationSql}`;
  const args = { project: project.number, now: now.toISOString(), going: JSON.stringify(going) };
  const [count] = await reader.rows(
    `SELECT count(*) AS n, ifnull(sum(${isPendingReviewSql}), 0) AS waiting FROM memories AS m WHERE ${inForce}`,
    args,
  );
  const [all, waiting] = [Number(count?.["n"] ?? 0), Number(count?.["waiting"] ?? 0)];
  if (all <= mayStay) return [];
  const least = async (condition: string, tooMany: number) => {
    if (tooMany <= 0) return [];
    const rows = await reader.rows(
      // SQLite has no power function here; straight lines from half-life to half-life keep the order well enough.
      `SELECT key FROM (
         SELECT m.key, ${earnedConfidenceSql} AS confidence, m.access_count,
           min(60, max(0, ifnull((julianday(:now) - julianday(${lastUsedSql})) / (${halfLifeSql}), 0))) AS half_lives
         FROM memories AS m
         WHERE ${inForce} AND ${condition} AND m.pinned = 0 AND m.user_verified = 0
           AND m.key NOT IN (SELECT value FROM json_each(:coming)))
       ORDER BY confidence * (1 - (half_lives - CAST(half_lives AS INTEGER)) / 2) / (1 << CAST(half_lives AS INTEGER)),
         access_count, key
       LIMIT :tooMany`,
      { ...args, coming: JSON.stringify(coming), tooMany },
    );
    return keys(rows);
  };
  const first = waiting > 0 ? await least(isPendingReviewSql, all - mayStay) : [];
  if (onlyPending) return first;
  return [...first, ...(await least(`NOT ${isPendingReviewSql}`, all - waiting - mayStay))];
}

function daysBefore(now: Date, days: number): string {
  // However many days: before the epoch there is nothing, and further back no date.
  return new Date(Math.max(0, now.getTime() - days * dayMs)).toISOString();
}

function keys(rows: Record<string, string | number | null>[]): number[] {
  return rows.map((row) => Number(row["key"]));
}
