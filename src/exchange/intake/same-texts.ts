import { noteChanges } from "../../memory/history/history.js";
import { listByKeys, type KeyedMemory } from "../../memory/read/read.js";
import type { MemoryRecord } from "../../memory/memory.js";
import { memoryType } from "../../memory/type-registry/type-registry.js";
import { mayMergeRecords, mergedFields } from "../../memory/remember/remember.js";
import { writeFields } from "../../memory/write/write.js";
import { bindFreeNames, contestedNameOf, joinClaim } from "./contested-names.js";
import type { Intake } from "./begin-intake.js";
import type { PreparedRecord } from "./prepare-record.js";

/** The memories in force that may be what one of the records says, oldest first, by the hash of their text. */
export async function listSameTexts(keeping: Intake, records: PreparedRecord[]): Promise<Map<string, KeyedMemory[]>> {
  const { writer, project, now } = keeping;
  const asked = records
    .filter((prepared) => maySayAgain(keeping, prepared))
    .map((prepared) => [prepared.contentHash, comparedBelow(keeping, prepared)]);
  const rows = await writer.rows(
    `SELECT m.key, m.content_hash FROM json_each(:asked) AS asked
     CROSS JOIN memories AS m ON m.project_number = :project AND m.content_hash = asked.value ->> 0
     WHERE m.key < asked.value ->> 1
     ORDER BY m.key`,
    { asked: JSON.stringify(asked), project: project.number },
  );
  const hashes = new Map(rows.map((row) => [Number(row["key"]), String(row["content_hash"])]));
  const byHash = new Map<string, KeyedMemory[]>();
  for (const keyed of await listByKeys(writer, project, [...hashes.keys()], now)) {
    if (keyed.memory.status !== "active" && keyed.memory.status !== "flagged") continue;
    const hash = hashes.get(keyed.key) as string;
    byHash.set(hash, [...(byHash.get(hash) ?? []), keyed]);
  }
  return byHash;
}

/** What is not in force would be if it were merged; and of some types each one counts, if it has an id. */
function maySayAgain({ now }: Intake, { record }: PreparedRecord): boolean {
  const inForce =
    record.forgottenAt === undefined &&
    record.validUntil === undefined &&
    (record.expiresAt === undefined || record.expiresAt > now.toISOString());
  return inForce && (record.id === undefined || !memoryType(record.type).everyOneCounts);
}

/**
 * The key below which a memory may be what the record says. Records that have ids of their own were several where they
 * come from, and so are those of which each one counts: they are compared only with what was there before.
 */
function comparedBelow({ firstKey, nextKey }: Intake, prepared: PreparedRecord): number {
  return mayRepeat(prepared) ? nextKey : firstKey;
}

/** True for a record that another one of the same import may repeat. */
export function mayRepeat({ record }: PreparedRecord): boolean {
  return record.id === undefined && !memoryType(record.type).everyOneCounts;
}

/** Which of the memories is what the record says: the one that has its name, else the oldest. -1 when none is. */
export function indexOfSame(keeping: Intake, twins: KeyedMemory[], prepared: PreparedRecord): number {
  const { name } = prepared.record;
  const named = twins.findIndex(
    (twin) => name !== undefined && namesOf(keeping, twin).includes(name) && saysTheSame(keeping, twin, prepared),
  );
  return named >= 0 ? named : twins.findIndex((twin) => saysTheSame(keeping, twin, prepared));
}

/** What the memory is called, or will be. */
function namesOf(keeping: Intake, { key, record }: KeyedMemory): string[] {
  return [record.name ?? contestedNameOf(keeping, key) ?? [], record.aliases].flat();
}

/** True when the memory is what the record says. Where each one counts, it must be the very same event. */
function saysTheSame(keeping: Intake, { key, record: bound }: KeyedMemory, prepared: PreparedRecord): boolean {
  const { record } = prepared;
  if (!maySayAgain(keeping, prepared) || key >= comparedBelow(keeping, prepared)) return false;
  const name = bound.name ?? contestedNameOf(keeping, key);
  const old: MemoryRecord = name === undefined ? bound : { ...bound, name };
  if (old.type !== record.type || !mayMergeRecords(old, record)) return false;
  if (!memoryType(record.type).everyOneCounts) return true;
  const isSameMoment = record.createdAt === undefined || record.createdAt === old.createdAt;
  return isSameMoment && record.sessionId === old.sessionId && Object.keys(mergedFields(old, record)).length === 0;
}

/** Gives a memory what a record of the same text adds, and tells how it stands then. */
export async function mergeInto(
  keeping: Intake,
  same: KeyedMemory,
  { record, origin }: PreparedRecord,
): Promise<KeyedMemory> {
  const { writer, project, now, report } = keeping;
  const { key, record: old } = same;
  if (record.id !== undefined) keeping.mergedInto.set(record.id, { id: old.id, updatedAt: record.updatedAt ?? "" });
  if (record.relations.length > 0)
    await keeping.later.append({ key, relations: record.relations, history: [], mergedInto: old.id });
  const fields = mergedFields(old, record);
  const has = (name: string) =>
    name === old.name || old.aliases.includes(name) || joinClaim(keeping, key, name, origin);
  const names = {
    ...(record.name !== undefined && !has(record.name) && { name: record.name }),
    aliases: record.aliases.filter((alias) => !has(alias)),
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
