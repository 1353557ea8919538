import type { Project } from "../../project/project.js";
import type { Reader } from "../../storage/storage.js";

/** From and until when, as the store writes times. */
export interface Span {
  from: string;
  until: string;
}

interface Remembered {
  /** The hash of its text; with a question mark before it, or that alone, where its text may be another. */
  mark: string;
  span: Span;
  startedAt: string;
  /** Keys of memories that count although somebody verified them. */
  vouched: readonly number[];
}

/** Memories that are trusted and were made of a text since the session began; of one nobody knows, those of its span. */
export async function listRemembered(
  reader: Reader,
  project: Project,
  { mark, span, startedAt, vouched }: Remembered,
): Promise<number[]> {
  // Apart, so that a text that is known is found by its index.
  const isUnknown = mark.startsWith("?");
  const isIt = isUnknown
    ? "(content_hash = :hash OR (stored_at >= :from AND stored_at <= :until))"
    : "content_hash = :hash";
  const rows = await reader.rows(
    `SELECT key FROM memories WHERE project_number = :project AND stored_at >= :start AND ${isIt}
       AND (user_verified = 0 OR key IN (SELECT value FROM json_each(:vouched)))
       AND forgotten_at IS NULL AND trust_flags NOT LIKE '%"tainted"%'`,
    {
      project: BigInt(project.number),
      hash: mark.replace("?", ""),
      start: startedAt,
      ...(isUnknown && span),
      vouched: JSON.stringify(vouched),
    },
  );
  return rows.map((row) => Number(row["key"]));
}

/** What was verified in a span; of what had waited until then the reason why. */
export async function listVouchedFor(
  reader: Reader,
  project: Project,
  { from, until }: Span,
): Promise<{ key: number; reason: string | undefined }[]> {
  const rows = await reader.rows(
    `SELECT m.key, c.fields ->> '$.review[0].state' AS state, c.fields ->> '$.review[0].reason' AS reason
     FROM memory_changes AS c JOIN memories AS m ON m.key = c.memory_key
     WHERE m.project_number = :project AND m.user_verified = 1 AND m.forgotten_at IS NULL
       AND c.verb IN ('verified', 'superseded') AND c.changed_at >= :from AND c.changed_at <= :until
       AND c.fields LIKE '%"userVerified"%'`,
    { project: BigInt(project.number), from, until },
  );
  return rows.map((row) => ({
    key: Number(row["key"]),
    reason: row["state"] === "pending" ? String(row["reason"] ?? "") : undefined,
  }));
}
