import type { Json } from "../base/base.js";
import { newId } from "../base/ids.js";
import { MemoryError } from "../base/memory-error.js";
import type { Row, Writer } from "../storage/storage.js";
import { keyRange, listByKeys, listSameText, toMemory, type KeyedMemory } from "./memory-queries.js";
import { memoryType } from "./memory-types.js";
import type { Memory, MemoryInput, RememberedMemory } from "./memory.js";
import { bindName } from "./names.js";
import { prepareMemories, type PreparedMemory } from "./prepare-memory.js";
import { writeProject, type ProjectStore } from "./project-store.js";
import type { Project } from "./projects.js";
import { relate } from "./relations.js";
import { linkSimilar, listSimilar } from "./similar.js";
import { indexMemory, reindexMemory } from "./derived-indexes.js";

/**
 * Keeps memories, all of them or none, and answers in input order. The same text of the same type is merged into the
 * older memory, which gains the tags, files and session of the newer; `merged` tells the caller.
 */
export async function remember(from: ProjectStore, inputs: MemoryInput[]): Promise<RememberedMemory[]> {
  if (!Array.isArray(inputs)) {
    throw new MemoryError("invalid-input", "rememberMany() takes a list.", "For one memory there is remember().");
  }
  if (inputs.length === 0) return [];
  // Before the transaction: cleaning takes longer than writing, and others wait while we hold the lock.
  const prepared = await prepareMemories(from, inputs);

  return writeProject(from, async (writer, project) => {
    const now = from.now();
    const kept: KeptMemory[] = [];
    for (const memory of prepared) kept.push(await keep(writer, project, memory, now));
    // What was merged into is read again; what was just written is known.
    const stale = kept.some(({ merged }) => merged) ? [...new Set(kept.map(({ key }) => key))] : [];
    const known = new Map((await listByKeys(writer, project, stale, now)).map(({ key, memory }) => [key, memory]));
    return kept.map(({ key, merged, memory }) => ({ ...(known.get(key) ?? memory), merged }));
  });
}

/** A memory as it stands in the store after it was remembered. */
interface KeptMemory extends KeyedMemory {
  merged: boolean;
}

/** Stores one prepared memory, or merges it into the one that already says so. */
export async function keep(writer: Writer, project: Project, memory: PreparedMemory, now: Date): Promise<KeptMemory> {
  const { everyOneCounts } = memoryType(memory.type);
  // A look before the write, not a constraint, because what may be merged depends on the time; the transaction is
  // IMMEDIATE, so nobody can come between.
  const older = everyOneCounts
    ? undefined
    : (await listSameText(writer, project, memory, now)).find((old) => mayMerge(old.memory, memory));
  if (older) {
    await merge(writer, project, older, memory, now);
    return { ...older, merged: true };
  }
  // Before the index has changes of its own to look through.
  const similar = await listSimilar(writer, project, memory);
  const row = await insert(writer, project, memory, now);
  const key = Number(row["key"]);
  await indexMemory(writer, key, project.number, memory);
  if (memory.name !== null) await bindName(writer, project, key, memory.name, "name");
  for (const alias of memory.aliases) await bindName(writer, project, key, alias, "alias");
  for (const relation of memory.relations) await relate(writer, project, key, relation);
  const links = await linkSimilar(writer, project, key, similar);
  const aliases = memory.aliases.filter((alias) => alias !== memory.name).toSorted();
  const kept = toMemory({ ...row, name: memory.name, aliases: JSON.stringify(aliases), relations: "[]" }, project, now);
  return { key, merged: false, memory: { ...kept, relations: [...memory.relations, ...links] } };
}

/**
 * Same text, yet two memories, where merging would lose something that the newer one says: its name, its session, its
 * readers, or a value that contradicts the older one's.
 */
function mayMerge(old: Memory, next: PreparedMemory): boolean {
  const agrees = (before: unknown, after: unknown) =>
    before === undefined || after === null || JSON.stringify(before) === JSON.stringify(after);
  return (
    (next.name === null || old.name === undefined || old.name === next.name) &&
    old.scope === next.scope &&
    old.visibility === next.visibility &&
    (next.scope !== "session" || (old.sessionId ?? null) === next.sessionId) &&
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
): Promise<void> {
  const union = (a: string[], b: string[]) => [...new Set([...a, ...b])];
  const sessions = union(old.provenanceSessionIds, next.sessionId === null ? [] : [next.sessionId]);
  const merged = {
    tags: union(old.tags, next.tags),
    relatedFiles: union(old.relatedFiles, next.relatedFiles),
    relatedModules: union(old.relatedModules, next.relatedModules),
  };
  const outlives =
    old.expiresAt === undefined || next.expiresAt === null
      ? null
      : ([old.expiresAt, next.expiresAt].toSorted()[1] ?? null);
  await writer.run(
    `UPDATE memories SET tags = :tags, related_files = :files, related_modules = :modules, metadata = :metadata,
       data = :data, graph_nodes = :nodes, work_unit = :workUnit, methodology = ifnull(methodology, :methodology),
       chunk = :chunk, provenance = :provenance, trust_flags = :flags, pinned = max(pinned, :pinned),
       expires_at = :expires, updated_at = :now
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
      expires: outlives,
      now: now.toISOString(),
    },
  );
  if (next.name !== null) await bindName(writer, project, key, next.name, "name");
  for (const alias of next.aliases) await bindName(writer, project, key, alias, "alias");
  for (const relation of next.relations) await relate(writer, project, key, relation);
  const [whole] = await listByKeys(writer, project, [key], now);
  await reindexMemory(writer, key, project.number, {
    ...(whole as KeyedMemory).memory,
    name: whole?.memory.name ?? null,
  });
}

/** Writes the row, under the next key of the project, and gives it back. */
async function insert(writer: Writer, project: Project, memory: PreparedMemory, now: Date): Promise<Row> {
  const time = now.toISOString();
  const row: Row = {
    id: newId(now),
    type: memory.type,
    content: memory.content,
    data: jsonOrNull(memory.data),
    metadata: JSON.stringify(memory.metadata),
    tags: JSON.stringify(memory.tags),
    related_files: JSON.stringify(memory.relatedFiles),
    related_modules: JSON.stringify(memory.relatedModules),
    confidence: memory.confidence,
    scope: memory.scope,
    visibility: memory.visibility,
    source: memory.source,
    session_id: memory.sessionId,
    agent: memory.agent,
    commit_sha: memory.commit,
    branch: memory.branch,
    provenance: JSON.stringify(memory.sessionId === null ? [] : [memory.sessionId]),
    graph_nodes: JSON.stringify(memory.graphNodes),
    half_life_days: memory.halfLifeDays,
    expires_at: memory.expiresAt,
    valid_from: memory.createdAt,
    valid_until: null,
    superseded_by: null,
    review_state: "none",
    review_reason: null,
    trust_flags: JSON.stringify(memory.trustFlags),
    user_verified: 0,
    pinned: memory.pinned ? 1 : 0,
    citation_text: memory.citationText,
    work_unit: jsonOrNull(memory.workUnit),
    methodology: memory.methodology,
    chunk: jsonOrNull(memory.chunk),
    access_count: 0,
    last_accessed_at: null,
    created_at: memory.createdAt,
    stored_at: time,
    updated_at: time,
    forgotten_at: null,
  };
  const columns = Object.keys(row);
  const [written] = await writer.rows(
    `INSERT INTO memories (key, project_number, content_hash, ${columns.join(", ")})
     SELECT ifnull(max(key), :first) + 1, :project, :hash, ${columns.map((column) => `:${column}`).join(", ")}
     FROM memories WHERE key BETWEEN :first AND :last
     RETURNING key`,
    { ...row, ...keyRange(project), project: project.number, hash: memory.contentHash },
  );
  return { ...row, key: written?.["key"] ?? null };
}

function jsonOrNull(value: Json): string | null {
  return value === null ? null : JSON.stringify(value);
}
