import { MemoryError } from "../base/memory-error.js";
import { getMemory } from "./get-memory.js";
import { listByKeys } from "./memory-queries.js";
import type { Memory } from "./memory.js";
import { releaseNames } from "./names.js";
import { changeMemory, type ProjectStore } from "./project-store.js";

/** For how long a forgotten memory can be brought back. */
export const graceDays = 30;

/** Forgets memories, all of them or none. They come back with `restore` for 30 days; their names are free at once. */
export async function forget(from: ProjectStore, references: string[]): Promise<Memory[]> {
  if (!Array.isArray(references)) {
    throw new MemoryError("invalid-input", "forgetMany() takes a list.", "For one memory there is forget().");
  }
  if (references.length === 0) return [];
  return changeMemory(from, references[0] ?? "", async (writer, project) => {
    const now = from.now();
    const keys: number[] = [];
    for (const reference of new Set(references)) {
      const { key } = await getMemory(writer, project, reference, now);
      const names = await releaseNames(writer, key);
      await writer.run(
        "UPDATE memories SET forgotten_at = :now, updated_at = :now, released_names = :names WHERE key = :key",
        {
          now: now.toISOString(),
          names: JSON.stringify(names),
          key,
        },
      );
      keys.push(key);
    }
    return (await listByKeys(writer, project, keys, now)).map(({ memory }) => memory);
  });
}
