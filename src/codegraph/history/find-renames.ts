import { listCommits, listStaged, type Change } from "./list-changes.js";
import { shareLimits, type GitLimits } from "../../base/git/git.js";

export interface Rename {
  from: string;
  to: string;
}

const maxCommits = 1000;
// Comparing what disappeared with what appeared takes the product of both; beyond, equal files are still found.
const maxCompared = 1000;

/**
 * Files that have another name in git's index than they had at this commit, as far as git recognises them: from the one
 * state to the other, or commit by commit on the way. Never throws; a commit that is not there, or no longer, and a git
 * that takes too long give none. What was moved without `git add` is not among them: see `pairMoved`.
 *
 * @example await findRenames(root, indexedCommit, { timeoutMs: 5000 }) // [{ from: "src/a.ts", to: "src/b.ts" }]
 */
export async function findRenames(root: string, fromCommit: string, all: GitLimits): Promise<Rename[]> {
  if (!/^[0-9a-f]{7,64}$/i.test(fromCommit)) return [];
  const limits = shareLimits(all);
  const from = `${fromCommit}^{commit}`;
  const staged = await listStaged(root, [...renamesFound, from], limits());
  if (!staged.isWhole) return [];
  const changes = staged.commits.flat();
  const renames = changes.flatMap(renameIn);
  const pathsWith = (status: string) => new Set(changes.filter((change) => change.status === status).map(pathOf));
  const [gone, appeared] = [pathsWith("D"), pathsWith("A")];
  if (gone.size > 0 && appeared.size > 0) {
    // A file may have changed too much from one end to the other, and yet never much at once.
    const range = ["--topo-order", `--max-count=${maxCommits}`, "--diff-filter=R", `${from}..HEAD`];
    const log = await listCommits(root, [...renamesFound, ...range], limits());
    const steps = log.isWhole ? log.commits.toReversed().map((commit) => commit.flatMap(renameIn)) : [];
    renames.push(...followSteps(steps).filter((end) => gone.has(end.from) && appeared.has(end.to)));
  }
  return renames.toSorted((a, b) => (a.from < b.from ? -1 : 1));
}

const renamesFound = ["--find-renames", `-l${maxCompared}`];

function renameIn({ status, from, path }: Change): Rename[] {
  return status === "R" && from !== undefined ? [{ from, to: path }] : [];
}

function pathOf({ path }: Change): string {
  return path;
}

/** Where each file ended up, from the oldest commit on. One that went two ways, on two branches, is not among them. */
function followSteps(commits: Rename[][]): Rename[] {
  const origins = new Map<string, string>();
  for (const renames of commits) {
    const moved = renames.map(({ from, to }) => [to, origins.get(from) ?? from] as const);
    for (const { from } of renames) origins.delete(from);
    for (const [to, origin] of moved) origins.set(to, origin);
  }
  const ways = new Map<string, number>();
  for (const from of origins.values()) ways.set(from, (ways.get(from) ?? 0) + 1);
  return [...origins].filter(([, from]) => ways.get(from) === 1).map(([to, from]) => ({ from, to }));
}
