import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { blobIds, runGit, type GitLimits } from "../../base/git/git.js";
import type { LeftFile } from "../cross-session/left-file-queries.js";
import { isOutsidePath } from "../untrusted-sources/outside-path.js";

// A session writes a few dozen; of one that rewrote a tree the first suffice to find its work again.
const maxFiles = 300;
const longestFile = 4 * 1024 * 1024;

/** What lies in the work tree now of the files that a session wrote, beside what the commit had that it began at. */
export async function readLeftFiles(
  root: string,
  written: Iterable<string>,
  commit: string | undefined,
  limits: GitLimits,
): Promise<LeftFile[]> {
  const paths = [...written].filter((path) => path !== "" && !isOutsidePath(path, root)).slice(0, maxFiles);
  if (paths.length === 0 || commit === undefined || !/^[\da-f]{40,64}$/i.test(commit)) return [];
  const { output, isWhole } = await runGit(root, [...plainPaths, "ls-tree", "-r", commit, "--", ...paths], limits);
  const before = new Set(listBlobs(output));
  const left: LeftFile[] = [];
  for (const path of paths) {
    const blobs = (await readBlobIds(resolve(root, path))).filter(({ length }) => length === commit.length);
    const isChanged = isWhole && blobs.length > 0 && !blobs.some((blob) => before.has(`${blob} ${path}`));
    left.push({ path, blobs, isChanged });
  }
  return left;
}

/** Git quotes names that are not ASCII unless it is told not to. */
export const plainPaths = ["-c", "core.quotePath=false"];

/** Each file of a tree that git has listed, as `blob path`. */
export function listBlobs(tree: string): string[] {
  return tree.split("\n").flatMap((line) => {
    const [, blob, path] = /^\d+ blob ([\da-f]+)\t(.+)$/.exec(line) ?? [];
    return blob === undefined ? [] : [`${blob} ${path}`];
  });
}

/** Git's names for a file as it lies there; none where it cannot be read. */
export async function readBlobIds(path: string): Promise<string[]> {
  try {
    const found = await stat(path);
    return found.isFile() && found.size <= longestFile ? blobIds(await readFile(path)) : [];
  } catch {
    return [];
  }
}
