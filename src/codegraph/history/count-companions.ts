import { listCommits, type Change } from "./list-changes.js";
import { runGit, shareLimits, type GitLimits } from "../../base/git/git.js";

/** Whoever changed `path` often changed `companion` with it. */
export interface Companion {
  path: string;
  companion: string;
  /** In how many commits both changed. */
  support: number;
  /** In how many of the commits that changed `path`, from 0 to 1. */
  confidence: number;
}

export interface CompanionCount {
  /** The newest commit that was read. */
  commit: string;
  /** How many commits were counted. */
  commits: number;
  /** By path, the surest first. */
  companions: Companion[];
}

// Held out the newest fifth of 2,500 commits each of twelve projects in TypeScript and Python, one file of a commit given,
// its other files of code asked for. Precision/recall in %: 37.0/11.7 with commits of up to 30 files, 40.1/11.3 up to 25,
// 41.4/10.3 up to 20; with 2 in common 36.8/14.2, 4 43.3/9.4; from a confidence of 0.2 29.9/14.9 (up to 30), 0.4 46.7/8.8;
// not following renames 35.9/11.3 (up to 30); of 1,000 commits 36.2/10.1, of 2,000 37.0/11.7 (both up to 30) (2026-11).
const maxFilesOfCommit = 25;
const leastSupport = 3;
const leastConfidence = 0.3;
const maxCommits = 2000;
const maxCompanions = 20;
// Comparing what disappeared with what appeared in one commit takes the product of both.
const maxCompared = 400;

/**
 * Counts which files of a repository change together, in its newest 2,000 commits without merges. The history of a file
 * that was renamed counts for its new name. Where git takes too long, the newest commits count that it told of by then.
 *
 * Undefined when nothing can be known (no git, no commit), when it was aborted, and when HEAD is still at `since`.
 *
 * @example
 * const counted = await countCompanions(root, { timeoutMs: 10_000 });
 * counted?.companions[0]; // { path: "src/a.ts", companion: "src/a.test.ts", support: 12, confidence: 0.8 }
 */
export async function countCompanions(
  root: string,
  { since, ...all }: GitLimits & { since?: string },
): Promise<CompanionCount | undefined> {
  const limits = shareLimits(all);
  const head = await runGit(root, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], limits());
  const commit = head.output.trim();
  if (!head.isWhole || commit === since) return undefined;
  const tracked = await runGit(root, ["ls-files", "-z"], limits());
  const history = await readHistory(root, commit, limits);
  if (!tracked.isWhole || !history || all.signal?.aborted) return undefined;
  const counts = count(history, new Set(tracked.output.split("\0")));
  return { commit, commits: counts.commits, companions: choose(counts) };
}

/** The changes of each commit, newest first; undefined where there is nothing to be had. */
async function readHistory(root: string, head: string, limits: () => GitLimits): Promise<Change[][] | undefined> {
  const question = [`--max-count=${maxCommits}`, `-l${maxCompared}`, head];
  const full = await listCommits(root, ["--find-renames", ...question], limits());
  const isOver = full.isWhole || limits().timeoutMs <= 0;
  // A partial clone lacks the files that would be compared; which have the same content is known without them.
  const exact = isOver ? full : await listCommits(root, ["--find-renames=100%", ...question], limits());
  const best = exact.commits.length > full.commits.length ? exact : full;
  return best.isWhole || best.commits.length > 0 ? best.commits : undefined;
}

interface Counts {
  commits: number;
  /** In how many commits each file changed. */
  changes: Map<string, number>;
  /** By file, in how many of them each other file changed. */
  together: Map<string, Map<string, number>>;
}

function count(history: Change[][], existing: Set<string>): Counts {
  const counts: Counts = { commits: 0, changes: new Map(), together: new Map() };
  /** What a path of an older commit is called today. */
  const today = new Map<string, string>();
  for (const commit of history) {
    const renamed = commit.map(({ path, from }) => ({ path: today.get(path) ?? path, from }));
    for (const { path, from } of renamed) if (from !== undefined) today.set(from, path);
    if (commit.length > maxFilesOfCommit) continue;
    const files = new Set(renamed.map(({ path }) => path).filter((path) => existing.has(path)));
    if (files.size > 0) counts.commits++;
    for (const file of files) {
      increase(counts.changes, file);
      const others = counts.together.get(file) ?? new Map<string, number>();
      counts.together.set(file, others);
      for (const other of files) if (other !== file) increase(others, other);
    }
  }
  return counts;
}

function increase(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function choose({ changes, together }: Counts): Companion[] {
  return [...together.keys()].toSorted().flatMap((path) => {
    const all = changes.get(path) as number;
    return [...(together.get(path) ?? [])]
      .map(([companion, support]) => ({ path, companion, support, confidence: support / all }))
      .filter(({ support, confidence }) => support >= leastSupport && confidence >= leastConfidence)
      .toSorted((a, b) => b.support - a.support || (a.companion < b.companion ? -1 : 1))
      .slice(0, maxCompanions);
  });
}
