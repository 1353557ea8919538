import { overview, type CodeOverview } from "../codegraph/ask/ask.js";
import { refuseAnyFolder } from "../project/folder/refuse-any-folder.js";
import type { CurrentTree } from "./tree/current-tree.js";

/** What there is in the code of a project, in figures and examples. Refuses where it is not indexed, and in a home folder. */
export async function readOverview(tree: CurrentTree): Promise<CodeOverview> {
  refuseAnyFolder(tree.folder());
  return tree.ask(async (reader, found) => overview(reader, found));
}
