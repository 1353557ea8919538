import { MemoryError } from "../../base/memory-error.js";
import type { Code } from "../code-memory.js";
import type { FolderIdentity } from "../../project/folder/identify-folder.js";
import type { Memory } from "../../memory/memory.js";
import type { ProjectContext } from "../../project/project.js";
import { openCurrentTree } from "../tree/current-tree.js";
import type { ProjectTrees } from "./follow-drift.js";

/** Which memories were just kept or changed. */
export type GroundedMemories = { ids: readonly string[] } | { since: string };

export interface VerifyStaleOptions {
  /** False: only what was found at the last indexing. Default true. */
  recheck?: boolean;
}

export interface StaleReport {
  /** How many memories were compared with the code; 0 where that was not asked for. */
  checked: number;
  /** What they say may no longer be true: `drift` of each tells why. */
  inDoubt: Memory[];
  /** Something that they name is elsewhere now, or called otherwise. */
  moved: Memory[];
  /** What the reader should know: that the index is not complete, that files have changed since. */
  notes: string[];
}

/** Compares every memory of the project with the code as it is now. Refuses where the code is not indexed. */
export async function verifyStale(
  context: ProjectContext,
  here: FolderIdentity | undefined,
  code: Code,
  { recheck = true }: VerifyStaleOptions = {},
): Promise<StaleReport> {
  // Also brings the index into step with the files.
  const notes = recheck ? await code.notes() : [];
  const trees = recheck ? await findTrees(context, here) : undefined;
  const checked = trees ? (await (await following()).checkAgainstTrees(context, "all", trees)).checked : 0;
  return { checked, ...(await readDrift(context)), notes };
}

/** What was found at the last comparison. */
export async function readDrift(context: ProjectContext): Promise<Pick<StaleReport, "inDoubt" | "moved">> {
  const drifted = await (await following()).listDrifted(context);
  const isDoubted = ({ drift = [] }: Memory) => drift.some(({ outcome }) => outcome === "doubt");
  return { inDoubt: drifted.filter(isDoubted), moved: drifted.filter((memory) => !isDoubted(memory)) };
}

const following = () => import("./follow-drift.js");

/** How memories that are kept or verified come to know what they rest on in the code. */
export interface Grounding {
  /** Notes it in the background for memories that were just kept or changed; the next indexing does it, too. */
  ground: (which: GroundedMemories) => void;
  /** Notes it at once for a memory that a person has found true: what the code said against it counts no more. */
  confirmed: <T extends Memory>(work: Promise<T>) => Promise<T>;
  /** Resolves when nothing is under way. */
  settled: () => Promise<unknown>;
}

export function openGrounding(context: ProjectContext, here: FolderIdentity | undefined): Grounding {
  // One after the other, and never while somebody waits for an answer.
  let underWay: Promise<unknown> = Promise.resolve();
  const take = async (which: GroundedMemories): Promise<void> => {
    const trees = await findTrees(context, here);
    if (trees) await (await following()).checkAgainstTrees(context, which, trees, { isFirst: true });
  };
  return {
    ground: (which) => {
      if (!here || ("ids" in which && which.ids.length === 0)) return;
      underWay = underWay.then(() => take(which)).catch(() => undefined);
    },
    confirmed: async <T extends Memory>(work: Promise<T>): Promise<T> => {
      const { drift: _drift, ...result } = await work;
      await underWay;
      await confirm(context, here, result.id);
      return result as T;
    },
    settled: () => underWay,
  };
}

async function confirm(context: ProjectContext, here: FolderIdentity | undefined, id: string): Promise<void> {
  try {
    await (await following()).confirmMemories(context, [id], await findTrees(context, here));
  } catch (error) {
    // It is verified all the same. What it rests on is seen at the next indexing.
    if (!(error instanceof MemoryError)) throw error;
  }
}

/** The tree of this folder, if all of it was ever indexed, and the others of the project. */
async function findTrees(context: ProjectContext, here: FolderIdentity | undefined): Promise<ProjectTrees | undefined> {
  const { tree } = await context.store.read(openCurrentTree(context, here).find);
  if (tree?.completedAt === undefined) return undefined;
  return { tree, others: await (await import("../tree/list-other-trees.js")).listOtherTrees(context, tree) };
}
