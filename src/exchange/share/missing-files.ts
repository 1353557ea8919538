import { runGit, shareLimits, type GitLimits } from "../../base/git/git.js";
import { sharedPath } from "./shared-folder.js";
import { hashOfPath } from "./shared-state.js";

/** What git knows of a shared file that is not there: when a commit last changed it, or that another branch has it. */
export type MissingReason = { how: "removed"; at: Date } | { how: "on-another-branch" } | { how: "vanished" };

/**
 * Says of each file that is gone from a work tree why, by the hash of its path. Only a removal that git has committed is
 * somebody's word; a file that HEAD still has, or that was never committed, has vanished: a power cut, a clean-up or a slip
 * may have taken it. Where git gives no answer in time, all have.
 */
export async function explainMissing(
  root: string,
  pathHashes: Iterable<string>,
  limits: GitLimits,
): Promise<Map<string, MissingReason>> {
  const missing = new Map([...pathHashes].map((hash): [string, MissingReason] => [hash, { how: "vanished" }]));
  if (missing.size === 0) return missing;
  const each = shareLimits(limits);
  const tree = await runGit(root, [...plainNames, "ls-tree", "--name-only", "HEAD", "--", `${sharedPath}/`], each());
  if (!tree.isWhole) return missing;
  const inHead = new Set(pathsOf(tree.output));
  // What is printed before it is ended counts: the newest commits come first, and there are most removals.
  const history = await runGit(root, logOf("HEAD"), each());
  for (const [hash, at] of lastChanges(history.output)) {
    if (missing.has(hash) && !inHead.has(hash)) missing.set(hash, { how: "removed", at });
  }
  const isOpen = (hash: string) => missing.get(hash)?.how === "vanished" && !inHead.has(hash);
  if (!history.isWhole || ![...missing.keys()].some(isOpen)) return missing;
  const others = await runGit(root, logOf("--branches", "--remotes"), each());
  for (const hash of lastChanges(others.output).keys()) {
    if (isOpen(hash)) missing.set(hash, { how: "on-another-branch" });
  }
  return missing;
}

const plainNames = ["-c", "core.quotePath=false"];
const time = /^@(\d+)$/;

function logOf(...revisions: string[]): string[] {
  const format = ["--format=@%ct", "--name-only", "--no-renames", "--no-show-signature"];
  return [...plainNames, "log", ...format, ...revisions, "--", sharedPath];
}

/** When each file was last changed, newest commits first. */
function lastChanges(log: string): Map<string, Date> {
  const changes = new Map<string, Date>();
  let at = new Date(0);
  for (const line of log.split("\n")) {
    const seconds = time.exec(line)?.[1];
    if (seconds !== undefined) at = new Date(Number(seconds) * 1000);
    for (const hash of pathsOf(line)) if (!changes.has(hash)) changes.set(hash, at);
  }
  return changes;
}

function pathsOf(lines: string): string[] {
  const begin = `${sharedPath}/`;
  return lines
    .split("\n")
    .filter((line) => line.startsWith(begin))
    .map((line) => hashOfPath(line.slice(begin.length)));
}
