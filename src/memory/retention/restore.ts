import { MemoryError } from "../../base/memory-error.js";
import type { Reader } from "../../storage/storage.js";
import type { MemoryWriter } from "../change/changed-memory.js";
import { graceDays } from "./forget.js";
import { findMemoryOrForgotten, notFoundHere } from "../read/get-memory.js";
import { noteChanges } from "../history/note-changes.js";
import { listByReference, findNameHolder, type KeyedMemory } from "../read/memory-queries.js";
import type { Memory } from "../memory.js";
import { bindName } from "../write/names.js";
import { changeMemory } from "../write/change-memory.js";
import type { Project } from "../../project/project.js";
import type { MemoryContext } from "../change/memory-context.js";
import { refuseAgent } from "../change/refuse-agent.js";
import { isProtected } from "./prune-queries.js";
import { writeFields } from "../write/write-fields.js";

/**
 * Brings a forgotten memory back, with those of its names that nobody has taken since. Fading begins anew. Others, by their ids,
 * come back in the same step where they are forgotten too.
 */
export async function restore(
  context: MemoryContext,
  reference: string,
  others: readonly string[] = [],
): Promise<Memory> {
  return changeMemory(context, reference, async (writer, project) => {
    const now = context.now();
    const asked = await findMemoryOrForgotten(writer, project, reference, now);
    if (!asked) throw await notFoundHere(writer, project, reference, now);
    const found = [asked];
    for (const id of others) found.push(...(await listByReference(writer, project, id, now)));
    const forgotten = found.filter(({ memory }) => memory.status === "forgotten");
    for (const one of forgotten) await refuseAfterGrace(writer, one, reference, now);
    if (forgotten.length === 0) return asked.memory;
    if (forgotten.some(({ record }) => record.userVerified || record.pinned)) {
      refuseAgent(context, `tacit restore ${reference}`);
    }
    const keys = forgotten.map(({ key }) => key);
    return noteChanges(writer, project, { verb: "restored", keys, now }, async () => {
      const restored: KeyedMemory[] = [];
      for (const one of forgotten) restored.push(await restoreRow(writer, project, one, now));
      return (restored.find(({ key }) => key === asked.key) ?? asked).memory;
    });
  });
}

/** What was forgotten too long ago is as good as gone, unless it is kept all the same. */
export async function refuseAfterGrace(
  reader: Reader,
  { key, record }: KeyedMemory,
  reference: string,
  now: Date,
): Promise<void> {
  if (record.forgottenAt === undefined) return;
  const age = now.getTime() - Date.parse(record.forgottenAt);
  if (age <= graceDays * 86_400_000 || (await isProtected(reader, key))) return;
  throw new MemoryError(
    "memory-not-found",
    `${reference} was forgotten more than ${graceDays} days ago and can no longer be restored.`,
    "`tacit list --status forgotten` may still show its text; `tacit purge` removes it for good.",
  );
}

/** The work itself, for whoever notes it. */
export async function restoreRow(
  writer: MemoryWriter,
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
