import { runGit, shareLimits, type GitLimits } from "../../base/run-git.js";

/**
 * The files that git had at a commit, by their paths from `root`: of HEAD where none is known, and of the index where
 * nothing has been committed yet. Undefined where that cannot be known: no repository, no git, nothing in it, too late.
 *
 * @example
 * const tracked = await listTracked(root, "HEAD", { timeoutMs: 2000 });
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
  for (const one of known) {
    const { output, isWhole } = await runGit(root, ["ls-tree", "-r", "-z", "--name-only", one], limits());
    if (isWhole) return pathsIn(output);
    if (limits().timeoutMs <= 0) return undefined;
  }
  const staged = await runGit(root, ["ls-files", "-z", "--cached"], limits());
  const paths = staged.isWhole ? pathsIn(staged.output) : undefined;
  return paths && paths.size > 0 ? paths : undefined;
}

function pathsIn(output: string): ReadonlySet<string> {
  return new Set(output.split("\0").filter((path) => path !== ""));
}
