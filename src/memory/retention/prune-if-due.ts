import { MemoryError } from "../../base/memory-error.js";
import { ensureProject, hasNewKeys, type ProjectContext } from "../../project/project.js";
import type { MemoryContext } from "../change/memory-context.js";
import { listPruningDue } from "./list-pruning-due.js";
import { eraseTraces } from "../../storage/erasure.js";

// Closing must not hang for what somebody else can finish.
const closingPatienceMs = 50;

/** The daily pruning: when a process ends, and in one that stays open for long. */
export async function pruneIfDue(context: MemoryContext): Promise<void> {
  try {
    if (!context.store.exists || (await context.store.read((reader) => listPruningDue(reader, context))).length === 0)
      return;
    await (await import("./prune.js")).pruneDaily(context, closingPatienceMs);
  } catch (error) {
    // Nobody is waiting who could be told; `doctor` looks at the store.
    if (!(error instanceof MemoryError)) throw error;
  }
}

/**
 * What may be done when nobody waits any more, and left to the next process where it does not succeed at once: wiping
 * what was purged, and learning that the folder has gained a remote, before a clone of it claims the remote alone.
 */
export async function finishQuietly(context: ProjectContext): Promise<void> {
  const { store, project, now } = context;
  try {
    await eraseTraces(store, closingPatienceMs);
    if (await store.read(async (reader) => hasNewKeys(reader, project))) {
      await store.write(async (writer) => ensureProject(writer, project, now()), { timeoutMs: closingPatienceMs });
    }
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
  }
}
