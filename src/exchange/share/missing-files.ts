import { runGit, shareLimits, type GitLimits } from "../../base/git/git.js";
import { sharedPath } from "./shared-folder.js";
import { hashOfPath } from "./shared-state.js";

/** What git knows of a shared file that is not there: when a commit last changed it, or that another branch has it. */
export type MissingReason =
  | { how: "removed"; at: Date; commit: string }
  | { how: "on-another-branch" }
  | { how: "vanished" };

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
  for (const [hash, change] of lastChanges(history.output)) {
    if (missing.has(hash) && !inHead.has(hash)) missing.set(hash, { how: "removed", ...change });
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
const head = /^@(\d+) ([0-9a-f]+)$/;

function logOf(...revisions: string[]): string[] {
  const format = ["--format=@%ct %H", "--name-only", "--no-renames"];
  return [...plainNames, "log", ...format, ...revisions, "--", sharedPath];
}

/** When each file was last changed, newest commits first. */
function lastChanges(log: string): Map<string, { at: Date; commit: string }> {
  const changes = new Map<string, { at: Date; commit: string }>();
  let last = { at: new Date(0), commit: "" };
  for (const line of log.split("\n")) {
    const [, seconds, commit = ""] = head.exec(line) ?? [];
    if (seconds !== undefined) last = { at: new Date(Number(seconds) * 1000), commit };
    for (const hash of pathsOf(line)) if (!changes.has(hash)) changes.set(hash, last);
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
