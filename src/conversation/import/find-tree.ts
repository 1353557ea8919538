import { isAbsolute, relative, sep, win32 } from "node:path";
import { identifyFolder } from "../../project/folder/identify-folder.js";

/**
 * The work tree of a session that began in this folder: the root for what lies in it, another tree of the same repository as
 * itself; undefined for another project.
 */
export async function findTree(directory: string, root: string): Promise<string | undefined> {
  // Of another system: there is no such folder here.
  if (!isAbsolute(directory)) return win32.isAbsolute(directory) ? undefined : root;
  const [there, here] = await Promise.all([identifyFolder(directory), identifyFolder(root)]);
  const way = relative(here.root, there.root);
  if (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way)) return root;
  const isSame =
    (there.gitKey !== undefined && there.gitKey === here.gitKey) ||
    (there.remoteKey !== undefined && there.remoteKey === here.remoteKey);
  return isSame ? there.root : undefined;
}
