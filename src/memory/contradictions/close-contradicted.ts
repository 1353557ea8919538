import type { MemoryWriter } from "../change/changed-memory.js";
import { findMemory } from "../read/get-memory.js";
import { noteChanges } from "../history/note-changes.js";
import type { KeyedMemory } from "../read/memory-queries.js";
import type { Project } from "../../project/project.js";
import { changeMemories } from "../change/change-memories.js";
import type { MemoryContext } from "../change/memory-context.js";
import { replaceMemory } from "../write/replace-memory.js";
import { wasTakenBack } from "./contradiction-queries.js";

/** A memory that gave way, and why. */
export interface ClosedMemory {
  id: string;
  why: string;
}

/**
 * Closes what a newer memory contradicts, as one change of its own: undoing it, from either side, brings the old ones back,
 * and the new one stays. Answers the new one as it is then.
 */
export async function closeContradictedRows(
  writer: MemoryWriter,
  project: Project,
  newer: KeyedMemory,
  olds: { keyed: KeyedMemory; why: string }[],
  now: Date,
): Promise<KeyedMemory> {
  if (olds.length === 0) return newer;
  const keys = [newer.key, ...olds.map(({ keyed }) => keyed.key)];
  return noteChanges(writer, project, { verb: "contradicted", keys, now }, async () => {
    let next = newer;
    for (const { keyed, why } of olds) next = await replaceMemory(writer, project, keyed, next, now, why);
    return next;
  });
}

/**
 * The same by id, for what was judged outside of a transaction. What is no longer in force by then, and what somebody
 * brought back after it was closed by this very memory, is left alone. Tells which were closed.
 */
export async function closeContradicted(
  context: MemoryContext,
  newId: string,
  olds: ClosedMemory[],
): Promise<ClosedMemory[]> {
  if (olds.length === 0 || !context.store.exists) return [];
  return changeMemories(context, async (writer, project) => {
    const now = context.now();
    const newer = await findMemory(writer, project, newId, now);
    if (newer?.memory.status !== "active") return [];
    const open: { keyed: KeyedMemory; why: string }[] = [];
    for (const { id, why } of olds) {
      const keyed = await findMemory(writer, project, id, now);
      if (keyed?.memory.status !== "active" || keyed.key === newer.key) continue;
      if (!(await wasTakenBack(writer, keyed.key, newer.record.id))) open.push({ keyed, why });
    }
    await closeContradictedRows(writer, project, newer, open, now);
    return open.map(({ keyed, why }) => ({ id: keyed.record.id, why }));
  });
}
