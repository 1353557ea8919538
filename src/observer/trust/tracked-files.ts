import { runGit, shareLimits, type GitLimits } from "../../base/git/git.js";

/**
 * The files that git had at a commit, by their paths from `root`: of HEAD where none is known, and of the index where
 * nothing has been committed yet. Undefined where there are none: no repository, no git, nothing in it. `unknown` where
 * git did not answer in time, or not to the end.
 *
 * @example
 * const tracked = await listTrackedFiles(root, undefined, { timeoutMs: 2000 });
 * tracked instanceof Set && tracked.has("src/a.ts"); // true
 */
export async function listTrackedFiles(
  root: string,
  commit: string | undefined,
  all: GitLimits,
): Promise<TrackedFiles> {
  const limits = shareLimits(all);
  // What a stranger calls a commit must not be an option.
  const isKnown = commit !== undefined && /^[\da-f]{4,64}$/i.test(commit);
  const tracked = isKnown ? await listOfCommit(root, commit, limits()) : undefined;
  return tracked ?? (await ask(root, [...ofTree, "HEAD"], limits())) ?? (await ask(root, ["ls-files", "-z"], limits()));
}

export type TrackedFiles = ReadonlySet<string> | "unknown" | undefined;

const ofTree = ["ls-tree", "-r", "-z", "--name-only"];

// What a commit has never changes, and whoever asks twice, or early, waits once. Only the last one, since a large
// repository has 20 MB of paths; and only under its whole name, which can mean no other.
let last: { root: string; commit: string; tracked: Promise<TrackedFiles> } | undefined;

async function listOfCommit(root: string, commit: string, limits: GitLimits): Promise<TrackedFiles> {
  if (commit.length < 40) return ask(root, [...ofTree, commit], limits);
  if (last?.root !== root || last.commit !== commit) {
    const asked = { root, commit, tracked: ask(root, [...ofTree, commit], limits) };
    last = asked;
    if (typeof (await asked.tracked) !== "object" && last === asked) last = undefined;
    return asked.tracked;
  }
  return last.tracked;
}

async function ask(root: string, question: readonly string[], limits: GitLimits): Promise<TrackedFiles> {
  if (limits.timeoutMs <= 0) return "unknown";
  const { output, isWhole, isLate } = await runGit(root, question, limits);
  if (isLate || (!isWhole && output !== "")) return "unknown";
  const paths = new Set(output.split("\0").filter((path) => path !== ""));
  return isWhole && paths.size > 0 ? paths : undefined;
}
