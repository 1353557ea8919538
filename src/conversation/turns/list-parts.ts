import { findMemoryOrForgotten, type KeyedMemory } from "../../memory/read/read.js";
import { readProject, type ProjectContext } from "../../project/project.js";
import type { Reader } from "../../storage/storage.js";
import { listParts, type TurnPart } from "./turn-queries.js";

/**
 * The ids of the other memories that a long turn is kept in, where the reference is one of them: what happens to one of them
 * happens to all. None for any other memory. Of those that are forgotten, or of those that are not.
 */
export async function listOtherParts(
  context: ProjectContext,
  reference: string,
  { forgotten }: { forgotten: boolean },
): Promise<string[]> {
  if (!context.store.exists) return [];
  return readProject(context, [] as string[], async (reader, project) => {
    const found = await findMemoryOrForgotten(reader, project, reference, context.now());
    const others = found ? await listPartsBeside(reader, found) : [];
    return others.filter(({ isForgotten }) => isForgotten === forgotten).map(({ id }) => id);
  });
}

/** The other memories that the turn is kept in, in their order; none for what is kept in one. */
export async function listPartsBeside(reader: Reader, { key, record }: KeyedMemory): Promise<TurnPart[]> {
  const { turn, parts } = record.data ?? {};
  if (record.type !== "conversation" || typeof turn !== "string" || typeof parts !== "number") return [];
  return listParts(reader, { key, turn, parts });
}
