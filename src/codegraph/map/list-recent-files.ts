import { shareLimits, type GitLimits } from "../../base/git/git.js";
import { listCommits, listStaged, type Changes } from "../history/list-changes.js";

// After so many commits a change counts half; what lies six times as far back counts next to nothing.
const halfLife = 10;
const maxCommits = 60;
// A commit of more files is a move or a new format, and says nothing of where work is being done.
const maxFiles = 40;

/**
 * The files that git has seen changing lately, each with how much that says of where work goes on: what is staged and the
 * last commits most, and a commit of one file more than each file of a large one. Empty where git has nothing to tell.
 */
export async function listRecentFiles(root: string, limits: GitLimits): Promise<Map<string, number>> {
  const left = shareLimits(limits);
  const staged = await listStaged(root, ["HEAD"], left());
  const committed = await listCommits(root, ["-n", String(maxCommits), "HEAD"], left());
  return weighChanges([staged, committed]);
}

function weighChanges([staged, committed]: [Changes, Changes]): Map<string, number> {
  const weights = new Map<string, number>();
  for (const { commits } of [staged, committed]) {
    commits.forEach((changes, age) => {
      if (changes.length > maxFiles) return;
      const weight = 2 ** (-age / halfLife) / Math.sqrt(changes.length);
      for (const { path, status } of changes) {
        if (status !== "D") weights.set(path, (weights.get(path) ?? 0) + weight);
      }
    });
  }
  return weights;
}
