import { MemoryError } from "../base/memory-error.js";
import type { Writer } from "../storage/storage.js";
import { getMemory } from "./get-memory.js";
import { noteChanges, type ChangeVerb, type Operation } from "./history.js";
import { listByKeys } from "./memory-queries.js";
import type { ForgottenReason } from "./memory-record.js";
import type { Memory } from "./memory.js";
import { releaseNames } from "./names.js";
import { changeMemory, type ProjectStore } from "./project-store.js";
import type { Project } from "./projects.js";
import { writeFields } from "./write-fields.js";

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
    const keys = new Set<number>();
    for (const reference of references) keys.add((await getMemory(writer, project, reference, now)).key);
    return forgetRows(writer, project, [...keys], now);
  });
}

/** Forgets memories, each as a step of its own so that it can be undone alone, and tells how they stand then. */
export async function forgetRows(
  writer: Writer,
  project: Project,
  keys: number[],
  now: Date,
  reason?: ForgottenReason,
): Promise<Memory[]> {
  for (const key of keys) {
    const operation: Operation = { verb: verbOf(reason), keys: [key], now };
    await noteChanges(writer, project, operation, () => forgetRow(writer, project, key, now, reason));
  }
  return (await listByKeys(writer, project, keys, now)).map(({ memory }) => memory);
}

function verbOf(reason: ForgottenReason | undefined): ChangeVerb {
  if (reason === undefined || reason === "unproved") return "forgotten";
  return reason === "unshared" ? "shared" : reason;
}

/** Marks a memory as forgotten, by its user or for a reason of Tacit's own. Its names are free at once. */
export async function forgetRow(
  writer: Writer,
  project: Project,
  key: number,
  now: Date,
  reason?: ForgottenReason,
): Promise<void> {
  const { name, aliases } = await releaseNames(writer, key);
  const fields = { forgottenAt: now.toISOString(), forgottenReason: reason, releasedNames: { name, aliases } };
  await writeFields(writer, project, key, fields, now);
}
