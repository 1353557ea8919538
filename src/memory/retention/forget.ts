import { MemoryError } from "../../base/memory-error.js";
import type { MemoryWriter } from "../change/changed-memory.js";
import { getMemory } from "../read/get-memory.js";
import { noteChanges, type Operation } from "../history/note-changes.js";
import type { ChangeVerb } from "../history/stored-changes.js";
import { listByKeys } from "../read/memory-queries.js";
import type { ForgottenReason, Memory } from "../memory.js";
import { releaseNames } from "../write/names.js";
import { changeMemory } from "../write/change-memory.js";
import type { Project } from "../../project/project.js";
import type { MemoryContext } from "../change/memory-context.js";
import { writeFields } from "../write/write-fields.js";

/** For how long a forgotten memory can be brought back. */
export const graceDays = 30;

/**
 * Forgets memories, all of them or none. They come back with `restore` for 30 days; their names are free at once. What stands in a
 * list of its own is one thing in several memories: forgotten, and undone, in one step. With a `doubt`, why whoever wants
 * it is not to be trusted, nothing is forgotten.
 */
export async function forget(
  context: MemoryContext,
  references: (string | string[])[],
  { doubt }: { doubt?: string | undefined } = {},
): Promise<Memory[]> {
  if (!Array.isArray(references)) {
    throw new MemoryError("invalid-input", "forgetMany() takes a list.", "For one memory there is forget().");
  }
  if (references.length === 0) return [];
  if (doubt !== undefined) throw doubted(references.flat()[0] ?? "", doubt);
  return changeMemory(context, references.flat()[0] ?? "", async (writer, project) => {
    const now = context.now();
    const seen = new Set<number>();
    const steps: number[][] = [];
    for (const step of references) {
      const keys: number[] = [];
      for (const reference of Array.isArray(step) ? step : [step]) {
        const { key } = await getMemory(writer, project, reference, now);
        if (!seen.has(key)) keys.push(key);
        seen.add(key);
      }
      if (keys.length > 0) steps.push(keys);
    }
    return forgetSteps(writer, project, steps, now);
  });
}

/** What is trusted does not fall silent because of what was read outside. */
function doubted(reference: string, doubt: string): MemoryError {
  return new MemoryError(
    "session-tainted",
    `${reference} is not forgotten. ${doubt}`,
    `A person can do it: tacit forget ${reference}`,
  );
}

/** Forgets memories, each as a step of its own so that it can be undone alone, and tells how they stand then. */
export async function forgetRows(
  writer: MemoryWriter,
  project: Project,
  keys: number[],
  now: Date,
  reason?: ForgottenReason,
): Promise<Memory[]> {
  const steps = keys.map((key) => [key]);
  return forgetSteps(writer, project, steps, now, reason);
}

async function forgetSteps(
  writer: MemoryWriter,
  project: Project,
  steps: number[][],
  now: Date,
  reason?: ForgottenReason,
): Promise<Memory[]> {
  for (const keys of steps) {
    const operation: Operation = { verb: verbOf(reason), keys, now };
    await noteChanges(writer, project, operation, async () => {
      for (const key of keys) await forgetRow(writer, project, key, now, reason);
    });
  }
  return (await listByKeys(writer, project, steps.flat(), now)).map(({ memory }) => memory);
}

function verbOf(reason: ForgottenReason | undefined): ChangeVerb {
  if (reason === undefined || reason === "unproved") return "forgotten";
  return reason === "unshared" || reason === "imported" ? "shared" : reason;
}

/** Marks a memory as forgotten, by its user or for a reason of Tacit's own. Its names are free at once. */
export async function forgetRow(
  writer: MemoryWriter,
  project: Project,
  key: number,
  now: Date,
  reason?: ForgottenReason,
): Promise<void> {
  const { name, aliases } = await releaseNames(writer, key);
  const fields = { forgottenAt: now.toISOString(), forgottenReason: reason, releasedNames: { name, aliases } };
  await writeFields(writer, project, key, fields, now);
}
