import { resolve } from "node:path";
import { runGit, type GitLimits } from "../../base/git/git.js";
import { isOutsidePath } from "../untrusted-sources/outside-path.js";
import type { Scratchpad } from "../scratchpad/session-view.js";
import { listBlobs, plainPaths, readBlobIds } from "./left-files.js";
import { findFetchedTip } from "./merged-work.js";
import { findOwnAddress } from "./session-commits.js";

/** From when to when an agent could have made a commit, in milliseconds. */
export type Span = readonly [from: number, until: number];

export interface VouchedFiles {
  lifted: ReadonlySet<string>;
  /** Those that lie there as they were committed last, by whomever. */
  committed: ReadonlySet<string>;
}

// The paths are arguments of one call; what is beyond stays as it is.
const maxFiles = 500;
const maxCommits = 500;
// A commit is dated to the second, and by another clock than ours.
const slackMs = 3000;

/**
 * Of files that an agent wrote after it had read something untrusted those that are the project's since: the remote's default
 * branch has them just as they are, or as that agent left them, or a commit has that no agent made, by the person who works
 * here. `left` says how that was: a session that goes on with a file has changed it by the time that it is judged.
 */
export async function findLifted(
  root: string,
  files: readonly string[],
  { spans, left }: { spans: readonly Span[]; left: ReadonlyMap<string, readonly string[]> },
  limits: () => GitLimits,
): Promise<VouchedFiles> {
  // Git answers nothing at all where one of them lies outside of its tree: an agent's plans do.
  const asked = files.filter((file) => !isOutsidePath(file, root)).slice(0, maxFiles);
  if (asked.length === 0) return { lifted: new Set(), committed: new Set() };
  const ask = async (...question: string[]) => {
    const { output } = await runGit(
      root,
      [...plainPaths, "-c", "log.showRoot=true", ...question, "--", ...asked],
      limits(),
    );
    return output;
  };
  const own = await findOwnAddress(root, limits());
  const { tip } = await findFetchedTip(root, limits());
  const history = ["log", "-n", String(maxCommits), "--raw", "--no-abbrev", "--no-renames", "--format=@%ct %ae %ce"];
  const isAgents = (at: number) => spans.some(([from, until]) => at >= from - slackMs && at <= until + slackMs);
  const isPersons = ({ at, author, committer }: Made) => author === own && committer === own && !isAgents(at);
  const vouched = new Set([
    ...heldBy(await ask(...history, "HEAD"), isPersons),
    // Whoever brought it there: from then on it is what everybody works with. What an agent only committed is not.
    ...(tip === undefined ? [] : listBlobs(await ask("ls-tree", "-r", tip))),
    ...(tip === undefined ? [] : heldBy(await ask(...history, "-m", tip), () => true)),
  ]);
  const head = new Set(listBlobs(await ask("ls-tree", "-r", "HEAD")));
  const [lifted, committed] = [new Set<string>(), new Set<string>()];
  for (const file of asked) {
    const blobs = await readBlobIds(resolve(root, file));
    if ([...blobs, ...(left.get(file) ?? [])].some((blob) => vouched.has(`${blob} ${file}`))) lifted.add(file);
    if (blobs.some((blob) => head.has(`${blob} ${file}`))) committed.add(file);
  }
  return { lifted, committed };
}

/** When an agent ran commands, by which it could have committed; in between it was a person. */
export function spansOf(pads: readonly Scratchpad[]): Span[] {
  return pads.flatMap(({ actions }) =>
    actions
      .filter(({ does }) => does === "run" || does === "other")
      .map(({ at, endedAt, command }): Span => [at, command?.background ? Infinity : (endedAt ?? Infinity)]),
  );
}

interface Made {
  at: number;
  author: string;
  committer: string;
}

/** Each version of a file that one of these commits brought. */
function heldBy(log: string, isVouching: (made: Made) => boolean): string[] {
  const held: string[] = [];
  let isCounted = false;
  for (const line of log.split("\n")) {
    const [, seconds, author = "", committer = ""] = /^@(\d+) (\S*) (\S*)$/.exec(line) ?? [];
    if (seconds !== undefined) {
      const addresses = { author: author.toLowerCase(), committer: committer.toLowerCase() };
      isCounted = isVouching({ at: Number(seconds) * 1000, ...addresses });
    }
    const [, blob, path] = /^:\S+ \S+ [\da-f]+ ([\da-f]+) [AMT]\t(.+)$/.exec(line) ?? [];
    if (isCounted && blob !== undefined) held.push(`${blob} ${path}`);
  }
  return held;
}
