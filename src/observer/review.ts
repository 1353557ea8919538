import { shortId } from "../base/ids.js";
import { MemoryError } from "../base/memory-error.js";
import { forgetRows } from "../memory/forget.js";
import { getMemory } from "../memory/get-memory.js";
import type { Memory } from "../memory/memory.js";
import { hashOf } from "../memory/prepare-memory.js";
import { changeMemory, type ProjectStore } from "../memory/project-store.js";
import { verify } from "../memory/review.js";
import { revise } from "../memory/revise.js";
import { addRefusals, dropEvidence, listEvidence, refusalMark } from "./across/subject-queries.js";

/** A person lets a memory speak that waited for it, as it is or with another text. */
export async function acceptMemory(
  from: ProjectStore,
  reference: string,
  { content }: { content?: string } = {},
): Promise<Memory> {
  const revised = content === undefined ? undefined : await revise(from, reference, { content });
  return verify(from, revised?.id ?? reference);
}

/**
 * A person refuses a memory that waited. It is forgotten, which can be undone, and what spoke for it is removed, so that
 * only new sessions can lead to it again. With `forever` none can; of that no more than a hash is kept.
 */
export async function rejectMemory(
  from: ProjectStore,
  reference: string,
  { forever = false }: { forever?: boolean } = {},
): Promise<Memory> {
  return changeMemory(from, reference, async (writer, project) => {
    const now = from.now();
    const { key, record, memory } = await getMemory(writer, project, reference, now);
    if (memory.status !== "waiting") {
      throw new MemoryError(
        "invalid-input",
        `${shortId(record.id)} does not wait for a review; it is ${memory.status}.`,
        `To take it away: tacit forget ${shortId(record.id)}. To say that it is wrong: tacit flag ${shortId(record.id)} "why"`,
      );
    }
    if (forever) {
      const subjects = await listEvidence(writer, record.id);
      const marks = subjects.map(({ signal, subject }) => refusalMark(signal, subject));
      await addRefusals(writer, project, [...marks, refusalMark(hashOf(record.content))]);
    }
    await dropEvidence(writer, record.id);
    const [forgotten] = await forgetRows(writer, project, [key], now);
    return forgotten as Memory;
  });
}
