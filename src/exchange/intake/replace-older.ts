import { bindFreeNames } from "./contested-names.js";
import { reindexMemory } from "../../memory/indexes/indexes.js";
import { columnsOf, isUnverified } from "../../memory/record/record.js";
import { noteChanges } from "../../memory/history/history.js";
import { insertRelations } from "./insert-records.js";
import type { DeferredRecord } from "./store-deferred.js";
import type { Intake } from "./begin-intake.js";
import { listByKeys, type KeyedMemory } from "../../memory/read/read.js";
import type { MemoryRecord } from "../../memory/memory.js";
import { isNewer, type PreparedRecord } from "./prepare-record.js";
import { unlinkSimilar } from "../../memory/relations/relations.js";

/** Puts a newer record in the place of the one under its key, which becomes a step of its history. */
export async function replaceOlder(
  keeping: Intake,
  { key, relations, supersededBy, newer }: DeferredRecord & { newer: PreparedRecord },
): Promise<void> {
  const { writer, project, now, report } = keeping;
  const [keyed] = (await listByKeys(writer, project, [key], now)) as [KeyedMemory];
  const old = keyed.record;
  // Asked again: another record of the same id may have been newer still.
  if (!isNewer(newer, old.updatedAt) || !mayReplace(keyed, newer)) {
    report.unchanged += 1;
    return;
  }
  report.updated += 1;
  await noteChanges(writer, project, { verb: "imported", keys: [key], now }, async () => {
    const record = replacement(old, newer, supersededBy);
    await updateRow(keeping, key, old, record, newer.contentHash);
    await writer.run("DELETE FROM memory_names WHERE memory_key = :key", { key });
    keeping.contested.delete(key);
    await bindFreeNames(keeping, [{ key, record, origin: newer.origin }]);
    if (record.content !== old.content) await unlinkSimilar(writer, { key, id: old.id });
    // Links to the code follow from the text here, and no file carries them.
    await writer.run(
      "DELETE FROM memory_relations WHERE memory_key = :key AND NOT (kind = 'documents' AND automatic = 1)",
      { key },
    );
    await insertRelations(writer, [{ key, relations }]);
    await reindexMemory(writer, key, project.number, { ...record, name: record.name ?? null });
  });
}

/** What nobody vouches for takes the place of what nobody vouches for either, or of what is over. */
function mayReplace({ memory: { status }, record }: KeyedMemory, newer: PreparedRecord): boolean {
  if (newer.hasNoClaims && newer.record.trustFlags.includes("tainted")) return record.trustFlags.includes("tainted");
  if (!isUnverified(newer.record)) return true;
  return status === "expired" || (status === "active" && isUnverified(record));
}

/** The newer record under the same id. What it does not tell of its times, the older one knows. */
function replacement(
  old: MemoryRecord,
  { record, hasNoClaims }: PreparedRecord,
  supersededBy: string | undefined,
): MemoryRecord {
  const { supersededBy: _given, ...fields } = record;
  // Somebody here vouched for this very text.
  const { userVerified, pinned, source } = old;
  const vouched = hasNoClaims && old.content === record.content ? { userVerified, pinned, source } : {};
  const { id, createdAt, storedAt, updatedAt, validFrom } = old;
  return {
    createdAt,
    storedAt,
    updatedAt,
    validFrom,
    ...fields,
    ...vouched,
    id,
    ...(supersededBy !== undefined && { supersededBy }),
  };
}

async function updateRow(
  { writer }: Intake,
  key: number,
  old: MemoryRecord,
  record: MemoryRecord,
  contentHash: string,
): Promise<void> {
  // What only the older one had is taken away.
  const gone = Object.fromEntries(Object.keys(old).map((field) => [field, undefined]));
  const columns = { ...columnsOf({ ...gone, ...record }), content_hash: contentHash };
  await writer.run(
    `UPDATE memories SET ${Object.keys(columns)
      .map((column) => `${column} = :${column}`)
      .join(", ")} WHERE key = :key`,
    { ...columns, key },
  );
}
