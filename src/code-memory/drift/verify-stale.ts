import type { Code } from "../code-memory.js";
import type { FolderIdentity } from "../../project/folder/identify-folder.js";
import type { Memory } from "../../memory/memory.js";
import type { ProjectContext } from "../../project/project.js";
import { openCurrentTree } from "../tree/current-tree.js";
import type { ProjectTrees } from "./follow-drift.js";

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

/** The tree of this folder, if all of it was ever indexed, and the others of the project. */
export async function findTrees(
  context: ProjectContext,
  here: FolderIdentity | undefined,
): Promise<ProjectTrees | undefined> {
  const { tree } = await context.store.read(openCurrentTree(context, here).find);
  if (tree?.completedAt === undefined) return undefined;
  return { tree, others: await (await import("../tree/list-other-trees.js")).listOtherTrees(context, tree) };
}
