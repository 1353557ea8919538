import type { Tree } from "../../codegraph/codegraph.js";
import { listDefined } from "../../codegraph/tree/tree.js";
import type { ProjectContext } from "../../project/project.js";
import type { MemoriesToLink } from "../code-memory.js";
import { listOtherTrees } from "../tree/list-other-trees.js";
import { linkBySymbols, type SymbolsOf } from "./link-by-symbols.js";

/**
 * Links memories to the symbols that their texts name. Links to what another work tree of the project has stay. Of files
 * that are nowhere nothing is known, but for those that were just removed.
 */
export async function linkMemories(
  context: ProjectContext,
  tree: Tree,
  which: MemoriesToLink,
  removed: readonly string[] = [],
): Promise<void> {
  const symbolsIn =
    (where: Tree, gone: readonly string[]): SymbolsOf =>
    async (files) => {
      const defined = await context.store.read((reader) => listDefined(reader, where, files));
      for (const file of gone) if (!defined.has(file)) defined.set(file, []);
      return defined;
    };
  const elsewhere = (await listOtherTrees(context, tree)).map((other) => symbolsIn(other, []));
  await linkBySymbols(context, which, symbolsIn(tree, removed), elsewhere);
}
