import { changeMemories, forShare, type MemoryContext, refuseAgent } from "../../memory/change/change.js";
import { MemoryError } from "../../base/memory-error.js";
import { revise, verify } from "../../memory/edit/edit.js";
import { findMemory, lookUp } from "../../memory/read/read.js";
import type { ReviewedMemory } from "../../memory/memory.js";
import { forgetRows } from "../../memory/retention/retention.js";
import { readProject } from "../../project/project.js";
import { folderOf, readIfChanged } from "./read-if-changed.js";
import { findOpenReview, isApproved, type SharedReview, writeReview } from "./shared-reviews.js";
import { forgetReading } from "./shared-state.js";

// Somebody waits for the answer, and has asked for nothing else.
const patienceMs = 10_000;

/** The shared file that a pending memory shows; undefined for one that shows none. */
export async function findShown(context: MemoryContext, reference: string): Promise<SharedReview | undefined> {
  const memory = await lookUp(context, reference);
  return memory && readProject(context, undefined, (reader, project) => findOpenReview(reader, project, memory.id));
}

/**
 * A person approves what somebody shared, as it is or in other words: the memory that the file stands for says it from now on,
 * and what only showed it is gone. Refuses where the file says something else by now.
 */
export async function approveShared(
  context: MemoryContext,
  review: SharedReview,
  { content }: { content?: string } = {},
): Promise<ReviewedMemory> {
  const { root, memoryId = "", targetId = "" } = review;
  refuseAgent(context, `tacit review accept ${memoryId.slice(-8)}`);
  const folder = await folderOf(context);
  if (folder.root !== root) {
    throw new MemoryError(
      "share-refused",
      `${memoryId.slice(-8)} was shared in another work tree of this project.`,
      `Approve it there: ${root}`,
    );
  }
  await changeMemories(context, async (writer, project) => {
    await writeReview(writer, project, { ...review, answer: "approved" });
    await forgetReading(writer, project, root);
    const shown = await findMemory(writer, project, memoryId, context.now());
    if (shown) await forgetRows(writer, project, [shown.key], context.now(), "imported");
  });
  const { problems } = await readIfChanged(forShare(context), patienceMs);
  const isImported = await readProject(context, false, async (reader, project) => {
    const target = await findMemory(reader, project, targetId, context.now());
    return target !== undefined && !(await isApproved(reader, project, review.fileHash));
  });
  if (!isImported) {
    const [problem] = problems;
    throw new MemoryError(
      "share-refused",
      problem ? `${problem.file}: ${problem.message}.` : "The file has changed since it was shown.",
      problem?.hint ?? "Look again: tacit review",
    );
  }
  const now = context.now();
  const target = await readProject(context, undefined, (reader, project) => findMemory(reader, project, targetId, now));
  const isReworded = content !== undefined && content !== target?.record.content;
  if (isReworded) await revise(context, targetId, { content }, { isByPerson: true });
  return verify(context, targetId);
}

/** A person refused what somebody shared: the same text is not shown again. */
export async function refuseShared(context: MemoryContext, review: SharedReview): Promise<void> {
  await changeMemories(context, async (writer, project) => {
    await writeReview(writer, project, { ...review, answer: "refused" });
    await forgetReading(writer, project, review.root);
  });
}
