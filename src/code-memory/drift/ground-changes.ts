import type { Change, ChangedMemory, ChangeSubscriber } from "../../memory/change/change.js";
import type { FolderIdentity } from "../../project/folder/identify-folder.js";
import type { ProjectContext } from "../../project/project.js";
import { findTrees } from "./verify-stale.js";

/** Notes what the memories of each change rest on in the code. */
export interface Grounding {
  subscriber: ChangeSubscriber;
  /** Resolves when nothing is under way. */
  settled: () => Promise<unknown>;
}

/**
 * What was written is marked in its transaction, and compared with the code in the background; where the process ends before
 * that, the next indexing takes it in. Of a memory that a person has found true, what the code said against it goes at once.
 */
export function openGrounding(context: ProjectContext, here: FolderIdentity | undefined): Grounding {
  // One after the other, and never while somebody waits for an answer.
  let underWay: Promise<unknown> = Promise.resolve();
  const ground = async (change: Change, keys: readonly number[]): Promise<void> => {
    const of = { ...context, project: { id: change.project.id } };
    const trees = await findTrees(of, here);
    if (!trees) return;
    await (await import("./follow-drift.js")).checkAgainstTrees(of, { keys }, trees, { isFirst: true });
  };
  return {
    settled: () => underWay,
    subscriber: {
      name: "grounding",
      ...(here && { prepare: () => import("./ground-queries.js") }),
      within: async (writer, { project, memories, at }) => {
        const confirmed = memories.filter(({ isVerified }) => isVerified);
        const due = here ? memories.filter(isDue) : [];
        if (confirmed.length + due.length === 0) return;
        const { dropVerdicts, markUngrounded } = await import("./ground-queries.js");
        if (confirmed.length > 0) await dropVerdicts(writer, keysOf(confirmed));
        if (here && due.length > 0) await markUngrounded(writer, project, here.root, keysOf(due), at);
      },
      after: (change) => {
        const keys = here ? keysOf(change.memories.filter(isDue)) : [];
        if (keys.length > 0) underWay = underWay.then(() => ground(change, keys)).catch(() => undefined);
      },
    },
  };
}

function keysOf(memories: readonly ChangedMemory[]): number[] {
  return memories.map(({ key }) => key);
}

// What was said is history, true or not.
const unchecked: ReadonlySet<string> = new Set(["conversation", "archive"]);
// The last two: it is in force again.
const grounds = ["content", "relatedFiles", "graphNodes", "relations", "forgottenAt", "validUntil"] as const;

/** It is new, or says something else of the code, or is found true as it is now. */
function isDue({ type, isNew, isVerified, fields }: ChangedMemory): boolean {
  return !unchecked.has(type) && (isNew || isVerified || grounds.some((field) => fields.has(field)));
}
