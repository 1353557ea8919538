import { runGit, type GitLimits } from "../../base/git/git.js";

/** What became of a file from one state of a repository to another. */
export interface Change {
  /** As git has it: `A`dded, `D`eleted, `M`odified, `R`enamed, `T`ype changed. */
  status: string;
  path: string;
  /** What a file that was renamed was called before. */
  from?: string;
}

export interface Changes {
  /** One list a commit, in git's order; one list in all for a question without commits. */
  commits: Change[][];
  /** Whether git came to its end. Where it did not, what it was about to tell last is left out. */
  isWhole: boolean;
}

// No program of the repository's own, no signature, nothing but names. %H: a hash is never a status, so that however a file
// is called, it is taken for nothing else.
const quiet = `--no-ext-diff --no-textconv --no-color --no-relative --ignore-submodules=all --name-status -z`.split(
  " ",
);
const quietLog = "log --no-merges --no-mailmap --format=%H".split(" ");

/** The changes of each commit, without merges, newest first. `question` says which commits, and how to look at them. */
export function listCommits(root: string, question: readonly string[], limits: GitLimits): Promise<Changes> {
  return listChanges(root, [...quietLog, ...quiet, ...question, "--"], limits);
}

/**
 * What differs between a commit and git's index. Not the files themselves: to compare these, git would start the filters
 * that the owner of the repository has set.
 */
export function listStaged(root: string, question: readonly string[], limits: GitLimits): Promise<Changes> {
  return listChanges(root, ["diff-index", "--cached", ...quiet, ...question, "--"], limits);
}

async function listChanges(root: string, args: readonly string[], limits: GitLimits): Promise<Changes> {
  const { output, isWhole } = await runGit(root, args, limits);
  const commits = parseChanges(output);
  return { commits: isWhole ? commits : commits.slice(0, -1), isWhole };
}

function parseChanges(output: string): Change[][] {
  const tokens = output.split("\0");
  const commits: Change[][] = [];
  for (let at = 0; at < tokens.length;) {
    // The first of a commit stands on a line of its own.
    const token = (tokens[at++] ?? "").replace(/^\n/, "");
    if (/^[0-9a-f]{40,64}$/.test(token)) commits.push([]);
    if (!/^[A-Z]\d*$/.test(token)) continue;
    if (commits.length === 0) commits.push([]);
    const from = /^[RC]/.test(token) ? tokens[at++] : undefined;
    const path = tokens[at++] ?? "";
    commits.at(-1)?.push({ status: token.charAt(0), path, ...(from !== undefined && { from }) });
  }
  return commits;
}
