import type { Tree } from "../../codegraph/codegraph.js";
import { findTree, listDefined, listTrees } from "../../codegraph/tree/tree.js";
import type { Change, ChangedMemory, MemoryWriter } from "../../memory/change/change.js";
import { linkRows, type SymbolsOf } from "./link-by-symbols.js";

/** Links what a change wrote to the symbols of the code that it names, in the transaction that writes it. */
export async function linkChanges(writer: MemoryWriter, { project, memories }: Change, root: string): Promise<void> {
  const keys = memories.filter(mayLinkAnew).map(({ key }) => key);
  if (keys.length === 0) return;
  const tree = await findTree(writer, project.number, root);
  if (!tree) return;
  const symbolsIn =
    (where: Tree): SymbolsOf =>
    (files) =>
      listDefined(writer, where, files);
  // Whether they are still there is looked up by the next indexing: no disk is asked while others wait for the lock.
  const others = (await listTrees(writer, project.number)).filter(({ root: other }) => other !== tree.root);
  await linkRows(writer, project, keys, symbolsIn(tree), others.map(symbolsIn));
}

/** It names files, or did before. */
function mayLinkAnew({ isNew, hasFiles, fields }: ChangedMemory): boolean {
  if (isNew) return hasFiles;
  return fields.has("relatedFiles") || (hasFiles && (fields.has("content") || fields.has("forgottenAt")));
}
