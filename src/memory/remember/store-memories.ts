import type { MemoryWriter } from "../change/changed-memory.js";
import { findSameMemory } from "./find-same-memory.js";
import { forgetRows } from "../retention/forget.js";
import { noteChanges } from "../history/note-changes.js";
import { insertMemory, newRecord, type StoredMemory } from "./insert-memory.js";
import { listByKeys, type KeyedMemory } from "../read/memory-queries.js";
import type { Memory, RememberedMemory } from "../memory.js";
import { addsNothing, isVouchedFor, mergedFields } from "./merge-records.js";
import { bindName, listNameLosers, type BindOptions } from "../write/names.js";
import { namesOf, type PreparedMemory } from "../prepare/prepare-memory.js";
import { listLeastWorth } from "../retention/prune-queries.js";
import type { Project } from "../../project/project.js";
import { insertRelation, deleteRelation } from "../relations/relation-queries.js";
import { writeFields } from "../write/write-fields.js";

/** Keeps prepared memories as part of a larger write, in their order; where there are too many now, some are forgotten. */
export async function storeMemories(
  writer: MemoryWriter,
  project: Project,
  prepared: PreparedMemory[],
  now: Date,
  { maxEntries, ...options }: BindOptions & { maxEntries: number | null },
): Promise<RememberedMemory[]> {
  const kept: StoredMemory[] = [];
  for (const memory of prepared) kept.push(await storeAndClose(writer, project, memory, now, options));
  // What was merged into is read again; what was just written is known.
  const stale = kept.some(({ merged }) => merged) ? [...new Set(kept.map(({ key }) => key))] : [];
  const known = new Map((await listByKeys(writer, project, stale, now)).map(({ key, memory }) => [key, memory]));
  const answers = kept.map(({ key, merged, memory, takenFrom, contradicted }): RememberedMemory => ({
    ...(known.get(key) ?? memory),
    merged,
    ...(takenFrom && { takenFrom }),
    ...(contradicted && { contradicted }),
  }));
  const coming = kept.map(({ key }) => key);
  // What waits for a person makes room among its like only: what is trusted would give way to it.
  const onlyPending = prepared.every(({ trustFlags }) => trustFlags.includes("tainted"));
  const tooMany =
    maxEntries === null ? [] : await listLeastWorth(writer, project, maxEntries, now, { coming, onlyPending });
  const evicted = await forgetRows(writer, project, tooMany, now, "evicted");
  if (evicted.length > 0) Object.assign(answers.at(-1) as RememberedMemory, { evicted });
  return answers;
}

let rules: ContradictionRules | undefined;
type ContradictionRules = typeof import("../contradictions/list-contradicted.js") &
  typeof import("../contradictions/close-contradicted.js");

/**
 * What finds and closes contradictions. Its lists of words take some milliseconds to load, which whoever only reads need not
 * spend; to be called before the transaction that keeps memories, since others wait while that lasts.
 */
export async function loadContradictions(): Promise<ContradictionRules> {
  rules ??= {
    ...(await import("../contradictions/list-contradicted.js")),
    ...(await import("../contradictions/close-contradicted.js")),
  };
  return rules;
}

/** Keeps one memory and, where it is new, closes what it contradicts. */
async function storeAndClose(
  writer: MemoryWriter,
  project: Project,
  memory: PreparedMemory,
  now: Date,
  options: BindOptions,
): Promise<StoredMemory> {
  // Before the index has changes of its own to look through.
  const contradictions = rules ?? (await loadContradictions());
  const found = await contradictions.listContradicted(writer, project, memory, now);
  const kept = await storeNoted(writer, project, memory, now, options);
  const olds = kept.merged ? [] : found.map(({ keyed, contradiction: { why } }) => ({ keyed, why }));
  if (olds.length === 0) return kept;
  const closed = await contradictions.closeContradictedRows(writer, project, kept, olds, now);
  return { ...kept, ...closed, contradicted: olds.map(({ keyed, why }) => ({ id: keyed.record.id, why })) };
}

/**
 * Closes what a memory contradicts that was just written, as a step of its own: whoever wants the old ones back keeps the new
 * text. Gives the memory as it is then.
 */
export async function closeWhatItContradicts(
  writer: MemoryWriter,
  project: Project,
  newer: KeyedMemory,
  now: Date,
): Promise<Memory & Pick<RememberedMemory, "contradicted">> {
  if (newer.memory.status !== "active") return newer.memory;
  const contradictions = rules ?? (await loadContradictions());
  const found = await contradictions.listContradicted(writer, project, { ...newer.record, key: newer.key }, now);
  if (found.length === 0) return newer.memory;
  const olds = found.map(({ keyed, contradiction: { why } }) => ({ keyed, why }));
  const { memory } = await contradictions.closeContradictedRows(writer, project, newer, olds, now);
  return { ...memory, contradicted: olds.map(({ keyed, why }) => ({ id: keyed.record.id, why })) };
}

/** Keeps one memory as a step of history: where it merges, or takes a name from another, that one changes. */
async function storeNoted(
  writer: MemoryWriter,
  project: Project,
  memory: PreparedMemory,
  now: Date,
  options: BindOptions,
): Promise<StoredMemory> {
  const older = await findSameMemory(writer, project, memory, now);
  const losers = await listNameLosers(writer, project, namesOf(memory), older?.key, options);
  if (!older && losers.length === 0) return insertMemory(writer, project, memory, now, options);
  const keys = [...(older ? [older.key] : []), ...losers.map(({ key }) => key)];
  return noteChanges(writer, project, { verb: older ? "merged" : "renamed", keys, now }, async (created) => {
    const kept = await storeMemory(writer, project, memory, now, options);
    if (!kept.merged) created(kept.key);
    return losers.length > 0 ? { ...kept, takenFrom: losers.map(({ id }) => id) } : kept;
  });
}

/** Stores one prepared memory, or merges it into the one that already says so. */
export async function storeMemory(
  writer: MemoryWriter,
  project: Project,
  memory: PreparedMemory,
  now: Date,
  options: BindOptions = {},
): Promise<StoredMemory> {
  const older = await findSameMemory(writer, project, memory, now);
  if (!older) return insertMemory(writer, project, memory, now, options);
  return { ...(await merge(writer, project, older, memory, now, options)), merged: true };
}

/** The older memory stays and gains what the newer adds. One that a person flagged as wrong stays flagged. */
async function merge(
  writer: MemoryWriter,
  project: Project,
  older: KeyedMemory,
  memory: PreparedMemory,
  now: Date,
  options: BindOptions,
): Promise<KeyedMemory> {
  const { key, record: old } = older;
  const next = newRecord(memory, now);
  if (addsNothing(old, next)) return older;
  if (isVouchedFor(old, next)) {
    for (const relation of old.relations) if (!relation.automatic) await deleteRelation(writer, key, relation);
  }
  if (memory.name !== null) await bindName(writer, project, key, memory.name, "name", options);
  for (const alias of memory.aliases) await bindName(writer, project, key, alias, "alias", options);
  for (const relation of memory.relations) await insertRelation(writer, project, key, relation);
  return writeFields(writer, project, key, mergedFields(old, next), now);
}
