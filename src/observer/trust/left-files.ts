import { resolve } from "node:path";
import { readFileBlobs, readTree, type GitLimits } from "../../base/git/git.js";
import type { LeftFile } from "../cross-session/left-file-queries.js";
import type { Origin } from "./folder-origins.js";
import { isOutsidePath } from "../untrusted-sources/outside-path.js";

// A session writes a few dozen. Of one that rewrote a tree the others are noted as unknown.
const maxRead = 300;

/**
 * What lies in the work tree now of the files that a session wrote, beside what the commit had that it began at: of a session
 * whose words may wait all files, of any other those that it wrote from elsewhere.
 */
export async function readLeftFiles(
  root: string,
  written: ReadonlyMap<string, Origin>,
  { commit, isDoubtful }: { commit: string | undefined; isDoubtful: boolean },
  limits: GitLimits,
): Promise<LeftFile[]> {
  const paths = [...written]
    .filter(([path, origin]) => (isDoubtful || origin === "tainted") && path !== "" && !isOutsidePath(path, root))
    .map(([path]) => path);
  const read = commit === undefined || !/^[\da-f]{40,64}$/i.test(commit) ? [] : paths.slice(0, maxRead);
  const before = read.length === 0 ? undefined : await readTree(root, commit ?? "", read, limits);
  const left: LeftFile[] = [];
  for (const path of read) {
    const blobs = (await readFileBlobs(resolve(root, path)))?.blobs ?? [];
    const own = blobs.filter(({ length }) => length === commit?.length);
    left.push({ path, blobs: own, isChanged: before !== undefined && !own.includes(before.get(path) ?? "") });
  }
  const unknown = paths.slice(read.length).map((path) => ({ path, blobs: [], isChanged: true }));
  return [...left, ...unknown];
}
