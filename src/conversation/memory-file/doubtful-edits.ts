import { findLastTaintedEnd } from "../../observer/cross-session/cross-session.js";
import type { ProjectContext } from "../../project/project.js";
import { findLookedAt, writeLookedAt } from "./memory-file-queries.js";

export interface EditsParts {
  /** Whether a session went on after a moment that has read something untrusted. Absent: nobody watches sessions. */
  wasAnyTaintedSince?: (since: Date | undefined) => Promise<boolean>;
}

/**
 * Whether the edit of a MEMORY.md may be a command's, however its call was worded: a session that has read something untrusted
 * went on since the file was last looked at. The times of the file say nothing, since whoever writes it chooses them.
 */
export async function isDoubtful(
  { store }: ProjectContext,
  folder: string,
  { wasAnyTaintedSince }: EditsParts,
): Promise<boolean> {
  return (await wasAnyTaintedSince?.(await store.read((reader) => findLookedAt(reader, folder)))) ?? false;
}

/** False where a session that has read something untrusted ended since: what is edited from now on would count as its work. */
export async function isLookedAt({ store }: ProjectContext, folder: string): Promise<boolean> {
  if (!store.exists) return true;
  return store.read(async (reader) => {
    const lookedAt = await findLookedAt(reader, folder);
    const ended = await findLastTaintedEnd(reader);
    return lookedAt !== undefined && (ended === undefined || Date.parse(ended) < lookedAt.getTime());
  });
}

/** Notes when the file and the store said the same; by the system's clock, as sessions are noted. */
export async function noteLookedAt({ store }: ProjectContext, folder: string, at: Date): Promise<void> {
  await store.write((writer) => writeLookedAt(writer, folder, at));
}
