import { MemoryError } from "../base/memory-error.js";
import type { Writer } from "../storage/storage.js";
import { graceDays } from "./forget.js";
import { findMemoryOrForgotten, notFound } from "./get-memory.js";
import { noteChanges } from "./history.js";
import type { KeyedMemory } from "./memory-queries.js";
import type { Memory } from "./memory.js";
import { bindName, findNameHolder } from "./names.js";
import { changeMemory, type ProjectStore } from "./project-store.js";
import type { Project } from "./projects.js";
import { isKept } from "./prune-queries.js";
import { writeFields } from "./write-fields.js";

/** Brings a forgotten memory back, with those of its names that nobody has taken since. Fading begins anew. */
export async function restore(from: ProjectStore, reference: string): Promise<Memory> {
  return changeMemory(from, reference, async (writer, project) => {
    const now = from.now();
    const found = await findMemoryOrForgotten(writer, project, reference, now);
    if (!found) throw notFound(reference, project);
    if (found.memory.status !== "forgotten") return found.memory;
    const age = now.getTime() - Date.parse(found.memory.forgottenAt as string);
    if (age > graceDays * 86_400_000 && !(await isKept(writer, found.key))) {
      throw new MemoryError(
        "memory-not-found",
        `${reference} was forgotten more than ${graceDays} days ago and can no longer be restored.`,
        "`tacit list --status forgotten` may still show its text; `tacit purge` removes it for good.",
      );
    }
    return noteChanges(writer, project, { verb: "restored", keys: [found.key], now }, async () => {
      const { memory } = await restoreRow(writer, project, found, now);
      return memory;
    });
  });
}

/** The work itself, for whoever notes it. */
export async function restoreRow(
  writer: Writer,
  project: Project,
  { key, record }: KeyedMemory,
  now: Date,
): Promise<KeyedMemory> {
  const names = record.releasedNames;
  const isFree = async (name: string) => (await findNameHolder(writer, project, name)) === undefined;
  if (names?.name && (await isFree(names.name))) await bindName(writer, project, key, names.name, "name");
  for (const alias of names?.aliases ?? []) {
    if (await isFree(alias)) await bindName(writer, project, key, alias, "alias");
  }
  const fields = {
    forgottenAt: undefined,
    forgottenReason: undefined,
    releasedNames: undefined,
    lastAccessedAt: now.toISOString(),
  };
  return writeFields(writer, project, key, fields, now);
}
