import { statingTypes } from "../../memory/contradictions/contradictions.js";
import { keyRange } from "../../memory/read/read.js";
import type { Project } from "../../project/project.js";
import type { Writer } from "../../storage/storage.js";

// An import may bring any number, of which a few are asked about.
const maxKeys = 200;

/**
 * Notes that a model is to be asked about these memories, as far as they state anything and need no review; about so many at
 * most.
 */
export async function addChecks(writer: Writer, keys: readonly number[], limit: number): Promise<void> {
  await writer.run(
    `INSERT INTO contradiction_checks (memory_key)
     SELECT m.key FROM json_each(:keys) AS w CROSS JOIN memories AS m ON m.key = w.value
     WHERE m.type IN (SELECT value FROM json_each(:types)) AND m.forgotten_at IS NULL AND m.valid_until IS NULL
       AND m.review_state = 'none'
     LIMIT :limit ON CONFLICT (memory_key) DO UPDATE SET claimed_at = NULL, attempts = 0`,
    { keys: JSON.stringify(keys.slice(0, maxKeys)), limit, types: JSON.stringify([...statingTypes]) },
  );
}

// A model that fails for a text time and again is not asked about it for ever.
const maxAttempts = 3;
// Longer than asking about a few takes; then whoever claimed them has ended.
const claimMs = 120_000;

/** Claims the newest memories that are still to be asked about, and gives their ids: no other process asks about them meanwhile. */
export async function claimChecks(writer: Writer, project: Project, limit: number, now: Date): Promise<string[]> {
  const range = keyRange(project);
  await writer.run(
    `DELETE FROM contradiction_checks WHERE memory_key BETWEEN :first AND :last AND attempts >= ${maxAttempts}
       AND (claimed_at IS NULL OR claimed_at < :stale)`,
    { ...range, stale: new Date(now.getTime() - claimMs).toISOString() },
  );
  const rows = await writer.rows(
    `UPDATE contradiction_checks SET claimed_at = :now, attempts = attempts + 1
     WHERE memory_key IN (
       SELECT memory_key FROM contradiction_checks
       WHERE memory_key BETWEEN :first AND :last AND (claimed_at IS NULL OR claimed_at < :stale)
       ORDER BY memory_key DESC LIMIT :limit)
     RETURNING (SELECT id FROM memories WHERE key = memory_key) AS id`,
    { ...range, now: now.toISOString(), stale: new Date(now.getTime() - claimMs).toISOString(), limit },
  );
  return rows.map((row) => String(row["id"]));
}

/** It was asked about; without an answer it is asked about again, with a later change. */
export async function settleCheck(writer: Writer, id: string, isAnswered: boolean): Promise<void> {
  const which = "memory_key = (SELECT key FROM memories WHERE id = :id)";
  await writer.run(
    isAnswered
      ? `DELETE FROM contradiction_checks WHERE ${which}`
      : `UPDATE contradiction_checks SET claimed_at = NULL WHERE ${which}`,
    { id },
  );
}
