import type { CodeOverview } from "../codegraph/ask/overview.js";
import type { FolderIdentity } from "../project/identify-folder.js";
import type { ProjectContext } from "../project/project-context.js";
import { refuseAnyFolder } from "../project/refuse-any-folder.js";
import { openOwnTree } from "./current-tree.js";

/** What there is in the code of a project, in figures and examples. Refuses where it is not indexed, and in a home folder. */
export async function readOverview(context: ProjectContext, here: FolderIdentity | undefined): Promise<CodeOverview> {
  const tree = openOwnTree(context, here);
  refuseAnyFolder(tree.folder());
  const { overview } = await import("../codegraph/ask/overview.js");
  return tree.ask(async (reader, found) => overview(reader, found));
}
