import { existsSync } from "node:fs";
import type { Tree } from "../../codegraph/codegraph.js";
import { listTrees } from "../../codegraph/tree/tree.js";
import { readProject, type ProjectContext } from "../../project/project.js";

/** The other work trees of the project that are still there. */
export async function listOtherTrees(context: ProjectContext, tree: Tree): Promise<Tree[]> {
  const trees = await readProject(context, [], (reader, project) => listTrees(reader, project.number));
  return trees.filter(({ root }) => root !== tree.root && existsSync(root));
}
