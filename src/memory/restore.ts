import { MemoryError } from "../base/memory-error.js";
import { graceDays } from "./forget.js";
import { findMemoryOrForgotten, notFound } from "./get-memory.js";
import { listByKeys } from "./memory-queries.js";
import type { Memory } from "./memory.js";
import { bindName, findNameHolder } from "./names.js";
import { changeMemory, type ProjectStore } from "./project-store.js";
import { reindexMemory } from "./derived-indexes.js";

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
    const [restored] = await listByKeys(writer, project, [found.key], now);
    const memory = restored?.memory as Memory;
    await reindexMemory(writer, found.key, project.number, { ...memory, name: memory.name ?? null });
    return memory;
  });
}
