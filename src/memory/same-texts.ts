import type { Keeping } from "./keeping.js";
import { bindFreeNames } from "./contested-names.js";
import { noteChanges } from "./history.js";
import { listByKeys, type KeyedMemory } from "./memory-queries.js";
import { memoryType } from "./memory-types.js";
import { mayMergeRecords, mergedFields } from "./merge-records.js";
import type { PreparedRecord } from "./prepare-record.js";
import { writeFields } from "./write-fields.js";

/** The memories in force that hold the text of one of the records, oldest first, by the hash of the text. */
export async function listSameTexts(keeping: Keeping, records: PreparedRecord[]): Promise<Map<string, KeyedMemory[]>> {
  const hashes = records.filter((prepared) => maySayAgain(keeping, prepared)).map(({ contentHash }) => contentHash);
  const { writer, project, now } = keeping;
  const rows = await writer.rows(
    `SELECT m.key, m.content_hash FROM json_each(:hashes) AS wanted
     CROSS JOIN memories AS m ON m.project_number = :project AND m.content_hash = wanted.value
     ORDER BY m.key`,
    { hashes: JSON.stringify([...new Set(hashes)]), project: project.number },
  );
  const byHash = new Map<string, KeyedMemory[]>();
  const hashOf = new Map(rows.map((row) => [Number(row["key"]), String(row["content_hash"])]));
  for (const keyed of await listByKeys(writer, project, [...hashOf.keys()], now)) {
    if (keyed.memory.status !== "active" && keyed.memory.status !== "flagged") continue;
    const hash = hashOf.get(keyed.key) as string;
    byHash.set(hash, [...(byHash.get(hash) ?? []), keyed]);
  }
  return byHash;
}

/** What is not in force here would not be if it were merged; and each one of some types counts, if it has an id. */
function maySayAgain({ now }: Keeping, { record }: PreparedRecord): boolean {
  const inForce =
    record.forgottenAt === undefined &&
    record.validUntil === undefined &&
    (record.expiresAt === undefined || record.expiresAt > now.toISOString());
  return inForce && (record.id === undefined || !memoryType(record.type).everyOneCounts);
}

/**
 * True when the memory is what the record says. Two records that have ids of their own were two where they come from:
 * those are compared only with what was there before. Where each one counts, it must be the very same event.
 */
export function saysTheSame(keeping: Keeping, { key, record: old }: KeyedMemory, prepared: PreparedRecord): boolean {
  const { record } = prepared;
  const { everyOneCounts = false } = memoryType(record.type);
  if (!maySayAgain(keeping, prepared)) return false;
  if ((record.id !== undefined || everyOneCounts) && key >= keeping.firstKey) return false;
  if (old.type !== record.type || !mayMergeRecords(old, record)) return false;
  if (!everyOneCounts) return true;
  const isSameMoment = record.createdAt === undefined || record.createdAt === old.createdAt;
  return isSameMoment && record.sessionId === old.sessionId && Object.keys(mergedFields(old, record)).length === 0;
}

/** Gives a memory what a record of the same text adds, and tells how it stands then. */
export async function mergeInto(
  keeping: Keeping,
  same: KeyedMemory,
  { record, origin }: PreparedRecord,
): Promise<KeyedMemory> {
  const { writer, project, now, report } = keeping;
  const { key, record: old } = same;
  if (record.id !== undefined) keeping.mergedInto.set(record.id, old.id);
  if (record.relations.length > 0) await keeping.later.append({ key, relations: record.relations, history: [] });
  const fields = mergedFields(old, record);
  const names = {
    ...(old.name === undefined && record.name !== undefined && { name: record.name }),
    aliases: record.aliases.filter((alias) => alias !== old.name && !old.aliases.includes(alias)),
  };
  if (Object.keys(fields).length === 0 && names.name === undefined && names.aliases.length === 0) {
    report.unchanged += 1;
    return same;
  }
  report.merged += 1;
  return noteChanges(writer, project, { verb: "merged", keys: [key], now }, async () => {
    await bindFreeNames(keeping, [{ key, record: names, origin }]);
    return writeFields(writer, project, key, fields, now);
  });
}
