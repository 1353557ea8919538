import type { Writer } from "../../storage/storage.js";
import { newRecord } from "./insert-memory.js";
import { listSameText, type KeyedMemory } from "../read/memory-queries.js";
import { memoryType } from "../type-registry/memory-types.js";
import { mayMergeRecords } from "./merge-records.js";
import type { PreparedMemory } from "../prepare/prepare-memory.js";
import type { Project } from "../../project/project.js";

/**
 * The memory that says the same already. A look before the write, not a constraint, because what may be merged depends
 * on the time; the transaction is IMMEDIATE, so nobody can come between.
 */
export async function findSameMemory(
  writer: Writer,
  project: Project,
  memory: PreparedMemory,
  now: Date,
  except?: number,
): Promise<KeyedMemory | undefined> {
  if (memoryType(memory.type).everyOneCounts) return undefined;
  const same = await listSameText(writer, project, memory, now);
  if (same.length === 0) return undefined;
  const next = newRecord(memory, now);
  // Where exactly one of both ends, one would lose that it does, or that it does not.
  return same.find(({ key, record: old, memory: { status } }) => {
    const endAlike = (old.expiresAt === undefined) === (next.expiresAt === undefined);
    // What waits would keep waiting, and what somebody now says outright must not.
    const waitAlike = status !== "waiting" || next.review.state === "pending";
    return key !== except && endAlike && waitAlike && mayMergeRecords(old, next);
  });
}
