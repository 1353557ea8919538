import { runGit, shareLimits, type GitLimits } from "../../base/git/git.js";
import type { Claim } from "./plain-statement.js";
import type { TrackedFiles } from "./tracked-files.js";

const maxClaims = 6;

/** Whether the tree of the commit that a session began at bears out all of these. What git does not answer is not borne out. */
export async function checkClaims(
  { root, commit, tracked }: { root: string; commit?: string | undefined; tracked: TrackedFiles },
  claims: readonly Claim[],
  all: GitLimits,
): Promise<boolean> {
  if (typeof tracked !== "object" || commit === undefined || !/^[\da-f]{40,64}$/i.test(commit)) return false;
  if (claims.length === 0 || claims.length > maxClaims) return false;
  const limits = shareLimits(all);
  for (const { name, file, isThere } of claims) {
    if (!tracked.has(file)) return false;
    const question = ["grep", "-cIwF", "--no-color", "-e", name, commit, "--", file];
    const { output, isLate } = await runGit(root, question, limits());
    if (isLate || (output.trim() !== "") !== isThere) return false;
  }
  return true;
}
