import type { SqlArgs, Writer } from "../storage/storage.js";
import { checkChanges } from "./check-input.js";
import { findMemory, getMemory } from "./get-memory.js";
import { listByKeys, type KeyedMemory } from "./memory-queries.js";
import type { Memory, MemoryChanges, MemoryInput } from "./memory.js";
import { bindName } from "./names.js";
import { prepareMemories, type PreparedMemory } from "./prepare-memory.js";
import { changeMemory, readProject, type ProjectStore } from "./project-store.js";
import { reindexMemory } from "./derived-indexes.js";
import { linkSimilar, listSimilar, unlinkSimilar } from "./similar.js";

/** Changes a memory in place. Its id, creation time and history of sessions stay. */
export async function revise(from: ProjectStore, reference: string, changes: MemoryChanges): Promise<Memory> {
  checkChanges(changes);
  // Cleaned as a whole memory would be, so that no way in is less careful than another; and before the transaction,
  // because cleaning would make others wait for the lock.
  const known = await readProject(from, undefined, async (reader, project) =>
    findMemory(reader, project, reference, from.now()),
  );
  const unchanged = { content: "unchanged", ...(known && { type: known.memory.type }) };
  const [prepared] = await prepareMemories(from, [{ ...unchanged, ...present(changes) }]);

  return changeMemory(from, reference, async (writer, project) => {
    const now = from.now();
    const { key, memory: old } = await getMemory(writer, project, reference, now);
    await update(writer, key, columnsOf(changes, prepared as PreparedMemory, old), now);
    if (changes.name !== undefined && changes.name !== old.name) {
      await writer.run("DELETE FROM memory_names WHERE memory_key = :key AND is_alias = 0", { key });
      if (prepared?.name) await bindName(writer, project, key, prepared.name, "name");
    }
    const [changed] = await listByKeys(writer, project, [key], now);
    const { memory } = changed as KeyedMemory;
    await reindexMemory(writer, key, project.number, { ...memory, name: memory.name ?? null });
    if (changes.content === undefined) return memory;
    await unlinkSimilar(writer, { key, id: memory.id });
    await linkSimilar(writer, project, key, await listSimilar(writer, project, { key, ...memory }));
    const [linked] = await listByKeys(writer, project, [key], now);
    return (linked as KeyedMemory).memory;
  });
}

/** The changes that set something; what is to be taken away has nothing to clean. */
function present(changes: MemoryChanges): Partial<MemoryInput> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null && value !== undefined));
}

/** The columns that change, with their new values. */
function columnsOf(changes: MemoryChanges, next: PreparedMemory, old: Memory): SqlArgs {
  const columns: SqlArgs = {};
  if (changes.content !== undefined) {
    columns["content"] = next.content;
    columns["content_hash"] = next.contentHash;
    columns["citation_text"] = next.citationText;
  }
  if (changes.type !== undefined) columns["type"] = next.type;
  if (changes.data !== undefined) columns["data"] = next.data === null ? null : JSON.stringify(next.data);
  if (changes.tags !== undefined) columns["tags"] = JSON.stringify(next.tags);
  if (changes.relatedFiles !== undefined) columns["related_files"] = JSON.stringify(next.relatedFiles);
  if (changes.relatedModules !== undefined) columns["related_modules"] = JSON.stringify(next.relatedModules);
  if (changes.scope !== undefined) columns["scope"] = next.scope;
  if (changes.visibility !== undefined) columns["visibility"] = next.visibility;
  if (changes.sessionId !== undefined) columns["session_id"] = next.sessionId;
  if (changes.metadata !== undefined) columns["metadata"] = JSON.stringify(next.metadata);
  if (changes.confidence !== undefined) columns["confidence"] = next.confidence;
  if (changes.expiresAt !== undefined) columns["expires_at"] = changes.expiresAt === null ? null : next.expiresAt;
  if (changes.pinned !== undefined) columns["pinned"] = next.pinned;
  if (next.trustFlags.length > 0) {
    columns["trust_flags"] = JSON.stringify([...new Set([...old.trustFlags, ...next.trustFlags])].toSorted());
  }
  return columns;
}

async function update(writer: Writer, key: number, columns: SqlArgs, now: Date): Promise<void> {
  const assignments = [...Object.keys(columns), "updated_at"].map((column) => `${column} = :${column}`);
  await writer.run(`UPDATE memories SET ${assignments.join(", ")} WHERE key = :key`, {
    ...columns,
    updated_at: now.toISOString(),
    key,
  });
}
