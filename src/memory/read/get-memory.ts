import { shortId } from "../../base/ids/ids.js";
import { MemoryError } from "../../base/memory-error.js";
import type { Reader } from "../../storage/storage.js";
import { listByReference, findForgottenByName, type KeyedMemory } from "./memory-queries.js";
import type { Memory } from "../memory.js";
import { findProject, userProject, type Project } from "../../project/project.js";

/** Finds the one memory that a reference means. Throws where a short id means several. */
export async function findMemory(
  reader: Reader,
  project: Project,
  reference: string,
  now: Date,
): Promise<KeyedMemory | undefined> {
  checkReference(reference);
  const found = await listByReference(reader, project, asStored(reference), now);
  if (found.length > 1) {
    throw new MemoryError(
      "reference-ambiguous",
      `${reference} means ${found.length} memories: ${found.map(({ memory }) => memory.id).join(", ")}.`,
      "Use the whole id.",
    );
  }
  return found[0];
}

/** The same, and a forgotten memory by the name it had: people ask for what they forgot by its name. */
export async function findMemoryOrForgotten(
  reader: Reader,
  project: Project,
  reference: string,
  now: Date,
): Promise<KeyedMemory | undefined> {
  return (
    (await findMemory(reader, project, reference, now)) ??
    (await findForgottenByName(reader, project, asStored(reference), now))
  );
}

/** Gets a memory that is there: not missing, and not forgotten. */
export async function getMemory(reader: Reader, project: Project, reference: string, now: Date): Promise<KeyedMemory> {
  const found = await findMemory(reader, project, reference, now);
  if (!found) throw await notFoundHere(reader, project, reference, now);
  refuseForgotten(found.memory, reference);
  return found;
}

export function refuseForgotten({ id, status, forgottenAt }: Memory, reference: string): void {
  if (status !== "forgotten") return;
  throw new MemoryError(
    "memory-forgotten",
    `${reference} was forgotten on ${forgottenAt?.slice(0, 10)}.`,
    `Bring it back first: tacit restore ${shortId(id)}`,
  );
}

/** The error for a reference that means nothing in this project; it tells when it means something everywhere. */
export async function notFoundHere(
  reader: Reader,
  project: Project | undefined,
  reference: string,
  now: Date,
): Promise<MemoryError> {
  checkReference(reference);
  const { project: user } = await findProject(reader, { id: userProject });
  if (!user || user.number === project?.number) return notFound(reference, project);
  const found = await listByReference(reader, user, asStored(reference), now);
  if (found.length === 0) return notFound(reference, project);
  return notFound(reference, project, "It is in the project user, which holds everywhere: add --project user.");
}

export function notFound(
  reference: string,
  project: Project | undefined,
  hint = "`tacit list` shows what is there; a reference is an id, its last 8 characters, a name or an alias.",
): MemoryError {
  checkReference(reference);
  const where = project ? `in project ${project.name}` : "in this project, which has no memories yet";
  return new MemoryError("memory-not-found", `There is no memory ${inBrief(reference)} ${where}.`, hint);
}

/** A pasted text, a key even, is not repeated whole. */
function inBrief(reference: string): string {
  const [line = ""] = reference.split("\n");
  return JSON.stringify(line.length > 40 || line !== reference ? `${line.slice(0, 40)}…` : line);
}

/** Names are stored in one form, however their letters were put together. */
function asStored(reference: string): string {
  return reference.normalize("NFC");
}

export function checkReference(reference: unknown): void {
  if (typeof reference === "string" && reference !== "") return;
  throw new MemoryError(
    "invalid-input",
    "A reference must be a text.",
    "Use an id, its last 8 characters, a name or an alias.",
  );
}
