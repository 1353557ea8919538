import { isAbsolute, relative } from "node:path";
import type { CodeState } from "../code-memory.js";
import { notIndexed, type TreeState } from "../../codegraph/tree/tree.js";
import { getFolder } from "../../project/folder/get-folder.js";
import type { FolderIdentity } from "../../project/folder/identify-folder.js";
import { findProject, type Project, type ProjectContext } from "../../project/project.js";
import { relativeTo } from "../../memory/read/read.js";
import type { Reader } from "../../storage/storage.js";

/** The tree of the folder that a memory was opened in. */
export interface CurrentTree {
  /** Refuses where only the name of a project is known. */
  folder: () => FolderIdentity;
  find: (reader: Reader) => Promise<{ tree?: TreeState; project?: Project }>;
  /** As of one moment: several statements must not see the graph before and after an indexing. */
  ask: <T>(work: (reader: Reader, tree: TreeState, project: Project) => Promise<T>) => Promise<T>;
  /** Files as the index knows them, whatever folder they were named from; the root is ".". */
  fromRoot: (files: readonly string[]) => string[];
  state: () => Promise<CodeState | undefined>;
}

export function openCurrentTree(
  { store, project: hint }: ProjectContext,
  folder: FolderIdentity | undefined,
): CurrentTree {
  const find = async (reader: Reader): Promise<{ tree?: TreeState; project?: Project }> => {
    const { findTree } = await import("../../codegraph/tree/tree.js");
    const { project } = await findProject(reader, hint);
    const tree = project && folder && (await findTree(reader, project.number, folder.root));
    return { ...(tree && { tree }), ...(project && { project }) };
  };
  return {
    folder: () => getFolder(folder),
    find,
    ask: async (work) =>
      store.snapshot(async (reader) => {
        const { tree, project } = await find(reader);
        if (!tree || !project) throw notIndexed();
        return work(reader, tree, project);
      }),
    fromRoot: (files) => {
      const { root } = getFolder(folder);
      return files.map((file) => (isAbsolute(file) && relative(root, file) === "" ? "." : relativeTo(root, file)));
    },
    state: async () => {
      if (!store.exists) return undefined;
      return store.read(async (reader) => {
        const { tree } = await find(reader);
        return tree && readState(reader, tree);
      });
    },
  };
}

async function readState(reader: Reader, tree: TreeState): Promise<CodeState> {
  const [{ countTree }, { extractorVersion }] = await Promise.all([
    import("../../codegraph/tree/tree.js"),
    import("../../codegraph/tree/tree.js"),
  ]);
  const { root, commit, branch, indexedAt, completedAt } = tree;
  return {
    root,
    ...(commit !== undefined && { commit }),
    ...(branch !== undefined && { branch }),
    indexedAt,
    isComplete: completedAt !== undefined,
    extractor: extractorVersion,
    ...(await countTree(reader, tree, extractorVersion)),
  };
}
