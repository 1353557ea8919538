import { runGit, shareLimits, type GitLimits } from "../../base/run-git.js";

/**
 * The files that git had at a commit, by their paths from `root`: of HEAD where none is known, and of the index where
 * nothing has been committed yet. Undefined where that cannot be known: no repository, no git, nothing in it, too late.
 *
 * @example
 * const tracked = await listTracked(root, undefined, { timeoutMs: 2000 });
 * tracked?.has("src/a.ts"); // true
 */
export async function listTracked(
  root: string,
  commit: string | undefined,
  all: GitLimits,
): Promise<ReadonlySet<string> | undefined> {
  const limits = shareLimits(all);
  // What a stranger calls a commit must not be an option.
  const known = commit !== undefined && /^[\da-f]{4,64}$/i.test(commit) ? [commit, "HEAD"] : ["HEAD"];
  for (const question of [...known.map((one) => ["ls-tree", "-r", "-z", "--name-only", one]), ["ls-files", "-z"]]) {
    const left = limits();
    if (left.timeoutMs <= 0) return undefined;
    const { output, isWhole } = await runGit(root, question, left);
    const paths = new Set(output.split("\0").filter((path) => path !== ""));
    if (isWhole && paths.size > 0) return paths;
  }
  return undefined;
}
