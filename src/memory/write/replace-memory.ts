import type { MemoryWriter } from "../change/changed-memory.js";
import type { KeyedMemory } from "../read/memory-queries.js";
import type { ReleasedNames, Relation } from "../memory.js";
import { bindName, releaseNames } from "./names.js";
import type { Project } from "../../project/project.js";
import { insertRelation } from "../relations/relation-queries.js";
import { writeFields } from "./write-fields.js";

/**
 * Puts a memory that is there in the place of another, whose validity ends now; part of a change that is noted. With `why`,
 * Tacit found by itself that it says otherwise: the old one keeps that, and the relation is automatic.
 */
export async function replaceMemory(
  writer: MemoryWriter,
  project: Project,
  old: KeyedMemory,
  { key, record: { id, name } }: KeyedMemory,
  now: Date,
  why?: string,
): Promise<KeyedMemory> {
  const names = await closeMemory(writer, old, now);
  return inheritPlace(writer, project, old, { key, id, isNamed: name !== undefined }, names, now, why);
}

/** Ends the validity of a memory, and gives its names free. */
export async function closeMemory(writer: MemoryWriter, { key }: KeyedMemory, now: Date): Promise<ReleasedNames> {
  await writer.run("UPDATE memories SET valid_until = :now, updated_at = :now WHERE key = :key", {
    now: now.toISOString(),
    key,
  });
  return releaseNames(writer, key);
}

/** Gives a memory what one that was closed had: its names, and that it leads to it. */
export async function inheritPlace(
  writer: MemoryWriter,
  project: Project,
  old: KeyedMemory,
  { key, id, isNamed }: { key: number; id: string; isNamed: boolean },
  { name, aliases }: ReleasedNames,
  now: Date,
  why?: string,
): Promise<KeyedMemory> {
  if (name !== null) await bindName(writer, project, key, name, isNamed ? "alias" : "name");
  for (const alias of aliases) await bindName(writer, project, key, alias, "alias");
  await insertRelation(writer, project, key, { ...supersedesRelation(old), automatic: why !== undefined });
  // Nobody reviews what is superseded, so that the reason can stand there; undoing it brings the review back.
  const review = why === undefined ? {} : { review: { state: "none", reason: why } };
  await writeFields(writer, project, old.key, { supersededBy: id, ...review }, now);
  return writeFields(writer, project, key, {}, now);
}

export function supersedesRelation({ record }: KeyedMemory): Relation {
  return { kind: "supersedes", memory: record.id, confidence: 1, automatic: false };
}
