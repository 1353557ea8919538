import { countCompanions, replaceCompanions } from "../../codegraph/history/history.js";
import { noteCounted, type TreeState } from "../../codegraph/tree/tree.js";
import type { Store } from "../../storage/storage.js";

const gitMs = 20_000;

/**
 * Counts which files change together, if git's head has moved since; by itself only where it was counted before. Tells how
 * many commits it looked at. Ignored files are left out: the history has their names, also where the index has not.
 */
export async function countCoChanges(
  store: Store,
  tree: TreeState,
  wanted: boolean | undefined,
  isIgnored: (path: string) => boolean,
): Promise<number | undefined> {
  if (!(wanted ?? tree.countedCommit !== undefined)) return undefined;
  const since = wanted === true ? undefined : tree.countedCommit;
  const counted = await countCompanions(tree.root, { timeoutMs: gitMs, ...(since !== undefined && { since }) });
  if (!counted) return undefined;
  const shown = counted.companions.filter(({ path, companion }) => !isIgnored(path) && !isIgnored(companion));
  await store.write(async (writer) => {
    await replaceCompanions(writer, tree.number, shown);
    await noteCounted(writer, tree, counted.commit);
  });
  return counted.commits;
}
