import { idFrom } from "../../base/ids/ids.js";
import type { MemoryWriter } from "../../memory/change/change.js";
import { findMemoryOrForgotten } from "../../memory/read/read.js";
import { asTainted, insertMemory } from "../../memory/remember/remember.js";
import { forgetRows, restoreRow } from "../../memory/retention/retention.js";
import type { Project } from "../../project/project.js";
import type { Step } from "./share-plan.js";
import { dropReviews, listReviews, writeReview } from "./shared-reviews.js";

/** What waits: the text of a file that nobody vouches for, shown as a memory of its own until a person decides. */
type Proposal = Extract<Step, { do: "propose" }>;

/**
 * Shows for review what files of others say, and takes back what no file says any more. The memories that those files stand
 * for stay as they are.
 */
export async function proposeFiles(
  writer: MemoryWriter,
  project: Project,
  root: string,
  steps: readonly Step[],
  now: Date,
  most: number,
): Promise<{ isWhole: boolean }> {
  const proposals = steps.filter((step): step is Proposal => step.do === "propose");
  const open = (await listReviews(writer, project)).filter((one) => one.root === root && one.answer === undefined);
  const wanted = new Set(proposals.map(({ side }) => side.file.hash));
  for (const { fileHash, memoryId } of open) {
    if (wanted.has(fileHash)) continue;
    await dropReviews(writer, project, [fileHash], "open");
    const found = memoryId === undefined ? undefined : await findMemoryOrForgotten(writer, project, memoryId, now);
    if (found && found.record.forgottenAt === undefined) {
      await forgetRows(writer, project, [found.key], now, "unshared");
    }
  }
  const shown = new Set(open.map(({ fileHash }) => fileHash));
  const fresh = proposals.filter(({ side }) => !shown.has(side.file.hash));
  for (const step of fresh.slice(0, most)) await propose(writer, project, root, step, now);
  return { isWhole: fresh.length <= most };
}

async function propose(
  writer: MemoryWriter,
  project: Project,
  root: string,
  { side, origin }: Proposal,
  now: Date,
): Promise<void> {
  const { file, local } = side;
  if (!file.says) return;
  const memoryId = idFrom("proposal", project.id, file.fileId, file.hash);
  const known = await findMemoryOrForgotten(writer, project, memoryId, now);
  if (!known) {
    const about = local ? ` It would change ${side.id.slice(-8)}.` : "";
    const shown = { ...file.says, name: null, aliases: [], relations: [], visibility: "personal" as const };
    await insertMemory(writer, project, asTainted(shown, `${origin.reason}${about}`), now, { id: memoryId });
  } else if (known.record.forgottenReason === "unshared" || known.record.forgottenReason === "imported") {
    await restoreRow(writer, project, known, now);
  }
  const { sharedBy } = origin;
  await writeReview(writer, project, {
    root,
    fileHash: file.hash,
    memoryId,
    targetId: side.id,
    ...(sharedBy !== undefined && { sharedBy }),
  });
}
