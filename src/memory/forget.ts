import { MemoryError } from "../base/memory-error.js";
import { findMemoryOrForgotten, getMemory, notFound } from "./get-memory.js";
import { findByKeys } from "./memory-queries.js";
import type { Memory } from "./memory.js";
import { bindName, findNameHolder, releaseNames } from "./names.js";
import { changeMemory, type ProjectStore } from "./project-store.js";
import { reindexMemory } from "./word-index.js";

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
    return (await findByKeys(writer, project, keys, now)).map(({ memory }) => memory);
  });
}

/** Brings a forgotten memory back, with those of its names that nobody has taken since. */
export async function restore(from: ProjectStore, reference: string): Promise<Memory> {
  return changeMemory(from, reference, async (writer, project) => {
    const now = from.now();
    const found = await findMemoryOrForgotten(writer, project, reference, now);
    if (!found) throw notFound(reference, project);
    if (found.memory.status !== "forgotten") return found.memory;
    const age = now.getTime() - Date.parse(found.memory.forgottenAt as string);
    if (age > graceDays * 86_400_000) {
      throw new MemoryError(
        "memory-not-found",
        `${reference} was forgotten more than ${graceDays} days ago and can no longer be restored.`,
        "`tacit list --status forgotten` may still show its text; `tacit purge` removes it for good.",
      );
    }
    const [row] = await writer.rows("SELECT released_names FROM memories WHERE key = :key", { key: found.key });
    const names = JSON.parse(String(row?.["released_names"] ?? "{}")) as { name?: string | null; aliases?: string[] };
    await writer.run(
      "UPDATE memories SET forgotten_at = NULL, released_names = NULL, updated_at = :now WHERE key = :key",
      { now: now.toISOString(), key: found.key },
    );
    const isFree = async (name: string) => (await findNameHolder(writer, project, name)) === undefined;
    if (names.name && (await isFree(names.name))) await bindName(writer, project, found.key, names.name, "name");
    for (const alias of names.aliases ?? []) {
      if (await isFree(alias)) await bindName(writer, project, found.key, alias, "alias");
    }
    const [restored] = await findByKeys(writer, project, [found.key], now);
    const memory = restored?.memory as Memory;
    await reindexMemory(writer, found.key, project.number, { ...memory, name: memory.name ?? null });
    return memory;
  });
}
