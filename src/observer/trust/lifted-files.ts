import { resolve } from "node:path";
import { plainPaths, readFileBlobs, readRawLine, readTree, runGit, type GitLimits } from "../../base/git/git.js";

/** Files that agents wrote after they had read something untrusted, as a later session may have seen them. */
export interface DoubtfulFiles {
  paths: readonly string[];
  /** The commit that the session began at, and when. */
  commit: string;
  startedAt: number;
  /** As the last session left them that wrote them in this work tree, and when. */
  left: ReadonlyMap<string, { blobs: readonly string[]; at: number; isChanged: boolean }>;
}

export interface LiftedFiles {
  /** Those that the session can only have seen as they were committed. */
  lifted: ReadonlySet<string>;
  /** Of those the ones whose other version was never committed: a stash may have it. */
  putAway: ReadonlySet<string>;
}

// The paths are arguments of one call; what is beyond stays as it is.
const maxPaths = 500;
const maxCommits = 2000;

/**
 * Of doubtful files those that were committed before the session began: what a commit has is the project's, whoever made it,
 * and every agent that works here reads it anyway. What only lies in the work tree is not.
 *
 * The session is over by now. A file that nobody has touched since it began lies there as it was. Any other was committed
 * before if a commit has what was left of it, or changed it later: people and their tools change a line before they commit.
 */
export async function findLifted(root: string, doubtful: DoubtfulFiles, limits: () => GitLimits): Promise<LiftedFiles> {
  const lifted = new Set<string>();
  const putAway = new Set<string>();
  const paths = doubtful.paths.slice(0, maxPaths);
  const tree = paths.length === 0 ? undefined : await readTree(root, doubtful.commit, paths, limits());
  if (!tree) return { lifted, putAway };
  const history = await readHistory(root, doubtful.commit, paths, limits());
  for (const path of paths) {
    const left = doubtful.left.get(path);
    const committed = history.get(path);
    const now = await readFileBlobs(resolve(root, path));
    const before = now !== undefined && now.changedMs < doubtful.startedAt ? now : undefined;
    const isClean = before?.blobs.includes(tree.get(path) ?? "") === true;
    // As it was left, and not as it is committed: a commit of other lines lifts nothing of it.
    const isStillLeft =
      before !== undefined && !isClean && left?.blobs.some((blob) => before.blobs.includes(blob)) === true;
    const wasCommitted = left?.isChanged === true && left.blobs.some((blob) => committed?.blobs.has(blob));
    const isLater = left !== undefined && committed !== undefined && committed.last > left.at;
    if (isStillLeft || !(wasCommitted || isLater || isClean)) continue;
    lifted.add(path);
    if (!wasCommitted) putAway.add(path);
  }
  return { lifted, putAway };
}

/** Each version that a file has had up to a commit, and when the last one was committed. */
async function readHistory(
  root: string,
  commit: string,
  paths: readonly string[],
  limits: GitLimits,
): Promise<ReadonlyMap<string, { blobs: ReadonlySet<string>; last: number }>> {
  const shown = ["--raw", "--no-abbrev", "--no-renames", "-m", "--format=@%ct", commit];
  const question = [
    ...plainPaths,
    "-c",
    "log.showRoot=true",
    "log",
    "-n",
    String(maxCommits),
    ...shown,
    "--",
    ...paths,
  ];
  const { output } = await runGit(root, question, limits);
  const versions = new Map<string, { blobs: Set<string>; last: number }>();
  let at = 0;
  for (const line of output.split("\n")) {
    if (line.startsWith("@")) at = 1000 * Number(line.slice(1));
    const brought = readRawLine(line);
    if (!brought) continue;
    const known = versions.get(brought.path) ?? { blobs: new Set(), last: at };
    versions.set(brought.path, { blobs: known.blobs.add(brought.blob), last: Math.max(known.last, at) });
  }
  return versions;
}
