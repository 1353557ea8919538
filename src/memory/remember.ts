import type { Json } from "../base/base.js";
import { newId } from "../base/ids.js";
import { MemoryError } from "../base/memory-error.js";
import type { Writer } from "../storage/storage.js";
import { toMemory } from "./as-of-now.js";
import { keyRange, listByKeys, listSameText, type KeyedMemory } from "./memory-queries.js";
import { columnsOf, type MemoryRecord } from "./memory-record.js";
import { memoryType } from "./memory-types.js";
import type { Memory, MemoryInput, RememberedMemory } from "./memory.js";
import { forgetRows } from "./forget.js";
import { noteChanges } from "./history.js";
import { bindName, listLosers, type BindOptions } from "./names.js";
import { prepareMemories, type PreparedMemory } from "./prepare-memory.js";
import { listLeastWorth } from "./prune-queries.js";
import { refuseWhenDisabled, writeProject, type ProjectStore } from "./project-store.js";
import type { Project } from "./projects.js";
import { relate } from "./relations.js";
import { linkSimilar, listSimilar } from "./similar.js";
import { indexMemory, reindexMemory } from "./derived-indexes.js";

/**
 * Keeps memories, all of them or none, and answers in input order. The same text of the same type is merged into the
 * older memory, which gains the tags, files and session of the newer; `merged` tells the caller. Where the configuration
 * allows so many memories and no more, those least worth keeping are forgotten; `evicted` of the last one tells which.
 */
export async function remember(
  from: ProjectStore,
  inputs: MemoryInput[],
  options: BindOptions = {},
): Promise<RememberedMemory[]> {
  if (!Array.isArray(inputs)) {
    throw new MemoryError("invalid-input", "rememberMany() takes a list.", "For one memory there is remember().");
  }
  if (inputs.length === 0) return [];
  await refuseWhenDisabled(from);
  const { maxEntries } = await from.settings();
  // Before the transaction: cleaning takes longer than writing, and others wait while we hold the lock.
  const prepared = await prepareMemories(from, inputs);

  return writeProject(from, async (writer, project) => {
    const now = from.now();
    const kept: KeptMemory[] = [];
    for (const memory of prepared) kept.push(await keepNoted(writer, project, memory, now, options));
    // What was merged into is read again; what was just written is known.
    const stale = kept.some(({ merged }) => merged) ? [...new Set(kept.map(({ key }) => key))] : [];
    const known = new Map((await listByKeys(writer, project, stale, now)).map(({ key, memory }) => [key, memory]));
    const answers = kept.map(({ key, merged, memory, takenFrom }): RememberedMemory => ({
      ...(known.get(key) ?? memory),
      merged,
      ...(takenFrom && { takenFrom }),
    }));
    const coming = kept.map(({ key }) => key);
    const tooMany = maxEntries === null ? [] : await listLeastWorth(writer, project, maxEntries, now, { coming });
    const evicted = await forgetRows(writer, project, tooMany, now, "evicted");
    if (evicted.length > 0) Object.assign(answers.at(-1) as RememberedMemory, { evicted });
    return answers;
  });
}

/** A memory as it stands in the store after it was remembered. */
interface KeptMemory extends KeyedMemory {
  merged: boolean;
  takenFrom?: string[];
}

/** Keeps one memory as a step of history: where it merges, or takes a name from another, that one changes. */
async function keepNoted(
  writer: Writer,
  project: Project,
  memory: PreparedMemory,
  now: Date,
  options: BindOptions,
): Promise<KeptMemory> {
  const older = await findSameMemory(writer, project, memory, now);
  const losers = await listLosers(writer, project, namesOf(memory), older?.key, options);
  if (!older && losers.length === 0) return keepNew(writer, project, memory, now, options);
  const keys = [...(older ? [older.key] : []), ...losers.map(({ key }) => key)];
  return noteChanges(writer, project, { verb: older ? "merged" : "renamed", keys, now }, async (created) => {
    const kept = await keep(writer, project, memory, now, options);
    if (!kept.merged) created(kept.key);
    return losers.length > 0 ? { ...kept, takenFrom: losers.map(({ id }) => id) } : kept;
  });
}

/** Stores one prepared memory, or merges it into the one that already says so. */
export async function keep(
  writer: Writer,
  project: Project,
  memory: PreparedMemory,
  now: Date,
  options: BindOptions = {},
): Promise<KeptMemory> {
  const older = await findSameMemory(writer, project, memory, now);
  if (!older) return keepNew(writer, project, memory, now, options);
  await merge(writer, project, older, memory, now, options);
  return { ...older, merged: true };
}

/**
 * The memory that says the same already. A look before the write, not a constraint, because what may be merged depends
 * on the time; the transaction is IMMEDIATE, so nobody can come between.
 */
export async function findSameMemory(
  writer: Writer,
  project: Project,
  memory: PreparedMemory,
  now: Date,
  except?: number,
): Promise<KeyedMemory | undefined> {
  if (memoryType(memory.type).everyOneCounts) return undefined;
  const same = await listSameText(writer, project, memory, now);
  return same.find((old) => old.key !== except && mayMerge(old.memory, memory));
}

export function namesOf({ name, aliases }: PreparedMemory): string[] {
  return name === null ? aliases : [name, ...aliases];
}

/** Stores a memory that is new, under a given id where it has one already. */
export async function keepNew(
  writer: Writer,
  project: Project,
  memory: PreparedMemory,
  now: Date,
  options: BindOptions & { id?: string } = {},
): Promise<KeptMemory> {
  // Before the index has changes of its own to look through.
  const similar = await listSimilar(writer, project, memory);
  const record = { ...newRecord(memory, now), ...(options.id !== undefined && { id: options.id }) };
  const key = await insert(writer, project, record, memory.contentHash);
  await indexMemory(writer, key, project.number, memory);
  if (memory.name !== null) await bindName(writer, project, key, memory.name, "name", options);
  for (const alias of memory.aliases) await bindName(writer, project, key, alias, "alias", options);
  for (const relation of memory.relations) await relate(writer, project, key, relation);
  const links = await linkSimilar(writer, project, key, similar);
  const whole = { ...record, relations: [...memory.relations, ...links] };
  return { key, merged: false, record: whole, memory: toMemory(whole, {}, project, now) };
}

/**
 * Same text, yet two memories, where merging would lose something that one of them says: its name, its session, its
 * readers, that it ends, or a value that contradicts the other one's.
 */
function mayMerge(old: Memory, next: PreparedMemory): boolean {
  const agrees = (before: unknown, after: unknown) =>
    before === undefined || after === null || JSON.stringify(before) === JSON.stringify(after);
  return (
    (next.name === null || old.name === undefined || old.name === next.name) &&
    old.scope === next.scope &&
    old.visibility === next.visibility &&
    (next.scope !== "session" || (old.sessionId ?? null) === next.sessionId) &&
    (old.expiresAt === undefined) === (next.expiresAt === null) &&
    agree(old.metadata, next.metadata) &&
    agrees(old.data, next.data) &&
    agrees(old.workUnit, next.workUnit) &&
    agrees(old.methodology, next.methodology) &&
    agrees(old.chunk, next.chunk)
  );
}

function agree(old: Record<string, Json>, next: Record<string, Json>): boolean {
  return Object.entries(next).every(
    ([key, value]) => !Object.hasOwn(old, key) || JSON.stringify(old[key]) === JSON.stringify(value),
  );
}

/**
 * The older memory stays and gains what the newer adds. Its confidence and source stay what they were: repeating is no
 * proof, whoever does it. One that a person flagged as wrong stays flagged.
 */
async function merge(
  writer: Writer,
  project: Project,
  { key, memory: old }: KeyedMemory,
  next: PreparedMemory,
  now: Date,
  options: BindOptions,
): Promise<void> {
  const union = (a: string[], b: string[]) => [...new Set([...a, ...b])];
  const sessions = union(old.provenanceSessionIds, next.sessionId === null ? [] : [next.sessionId]);
  const merged = {
    tags: union(old.tags, next.tags),
    relatedFiles: union(old.relatedFiles, next.relatedFiles),
    relatedModules: union(old.relatedModules, next.relatedModules),
  };
  await writer.run(
    `UPDATE memories SET tags = :tags, related_files = :files, related_modules = :modules, metadata = :metadata,
       data = :data, graph_nodes = :nodes, work_unit = :workUnit, methodology = ifnull(methodology, :methodology),
       chunk = :chunk, provenance = :provenance, trust_flags = :flags, pinned = max(pinned, :pinned),
       expires_at = max(expires_at, :expires), updated_at = :now
     WHERE key = :key`,
    {
      key,
      tags: JSON.stringify(merged.tags),
      files: JSON.stringify(merged.relatedFiles),
      modules: JSON.stringify(merged.relatedModules),
      metadata: JSON.stringify({ ...next.metadata, ...old.metadata }),
      data: jsonOrNull(old.data ?? next.data),
      nodes: JSON.stringify(union(old.graphNodes, next.graphNodes)),
      workUnit: old.workUnit ? JSON.stringify(old.workUnit) : jsonOrNull(next.workUnit),
      methodology: next.methodology,
      chunk: old.chunk ? JSON.stringify(old.chunk) : jsonOrNull(next.chunk),
      provenance: JSON.stringify(sessions),
      flags: JSON.stringify(union(old.trustFlags, next.trustFlags)),
      pinned: next.pinned ? 1n : 0n,
      expires: next.expiresAt,
      now: now.toISOString(),
    },
  );
  if (next.name !== null) await bindName(writer, project, key, next.name, "name", options);
  for (const alias of next.aliases) await bindName(writer, project, key, alias, "alias", options);
  for (const relation of next.relations) await relate(writer, project, key, relation);
  const [whole] = await listByKeys(writer, project, [key], now);
  await reindexMemory(writer, key, project.number, {
    ...(whole as KeyedMemory).memory,
    name: whole?.memory.name ?? null,
  });
}

/** What is stored of a memory that is new. */
function newRecord(memory: PreparedMemory, now: Date): MemoryRecord {
  const time = now.toISOString();
  const given = {
    name: memory.name,
    data: memory.data,
    sessionId: memory.sessionId,
    agent: memory.agent,
    commit: memory.commit,
    branch: memory.branch,
    halfLifeDays: memory.halfLifeDays,
    expiresAt: memory.expiresAt,
    workUnit: memory.workUnit,
    methodology: memory.methodology,
    chunk: memory.chunk,
  };
  return {
    ...(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)) as Partial<MemoryRecord>),
    id: newId(now),
    type: memory.type,
    content: memory.content,
    aliases: memory.aliases.filter((alias) => alias !== memory.name).toSorted(),
    metadata: memory.metadata,
    tags: memory.tags,
    relatedFiles: memory.relatedFiles,
    relatedModules: memory.relatedModules,
    confidence: memory.confidence,
    scope: memory.scope,
    visibility: memory.visibility,
    source: memory.source,
    provenanceSessionIds: memory.sessionId === null ? [] : [memory.sessionId],
    graphNodes: memory.graphNodes,
    relations: memory.relations,
    validFrom: memory.createdAt,
    review: { state: "none" },
    trustFlags: memory.trustFlags,
    userVerified: false,
    pinned: memory.pinned,
    citationText: memory.citationText,
    accessCount: 0,
    usesSinceCorrection: 0,
    createdAt: memory.createdAt,
    storedAt: time,
    updatedAt: time,
  };
}

/** Writes the row, under the next key of the project, and tells the key. */
async function insert(writer: Writer, project: Project, record: MemoryRecord, contentHash: string): Promise<number> {
  const row = columnsOf(record);
  const columns = Object.keys(row);
  const [written] = await writer.rows(
    `INSERT INTO memories (key, project_number, content_hash, ${columns.join(", ")})
     SELECT ifnull(max(key), :first) + 1, :project, :hash, ${columns.map((column) => `:${column}`).join(", ")}
     FROM memories WHERE key BETWEEN :first AND :last
     RETURNING key`,
    { ...row, ...keyRange(project), project: project.number, hash: contentHash },
  );
  return Number(written?.["key"]);
}

function jsonOrNull(value: Json): string | null {
  return value === null ? null : JSON.stringify(value);
}
