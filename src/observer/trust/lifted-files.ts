import { resolve } from "node:path";
import { plainPaths, readFileBlobs, readRawLine, readTree, runGit, type GitLimits } from "../../base/git/git.js";
import type { Scratchpad } from "../scratchpad/session-view.js";
import { findFetchedTip } from "./merged-work.js";
import { readRefLog } from "./ref-log.js";
import { findOwnAddress } from "./session-commits.js";

/** From when to when an agent could have made a commit, in milliseconds. */
export type Span = readonly [from: number, until: number];

/** Files that agents wrote after they had read something untrusted, as a later session may have seen them. */
export interface DoubtfulFiles {
  paths: readonly string[];
  /** The commit that the session began at, and when. */
  commit: string;
  startedAt: number;
  /** When agents ran commands: what was committed meanwhile, they may have committed. */
  spans: readonly Span[];
  /** As the last session left them that wrote them in this work tree: git's names for the content. */
  left: ReadonlyMap<string, readonly string[]>;
}

export interface VouchedFiles {
  lifted: ReadonlySet<string>;
  /** Those that lay there as they were committed: a difference to that commit shows nothing of them. */
  committed: ReadonlySet<string>;
}

// The paths are arguments of one call; what is beyond stays as it is.
const maxPaths = 500;
const maxCommits = 500;
// A commit is dated to the second, and by another clock than ours.
const slackMs = 3000;
// A session goes to another branch once or twice.
const maxMoves = 8;

/**
 * Of doubtful files those that are the project's since, in every version that the session may have seen: the remote's default
 * branch has had them just so, or a commit has that no agent made, by the person who works here.
 *
 * The session is over by now. A file that nobody has touched since it began lies there as it was. Of any other, the session
 * may have seen what was committed where it stood, and what an earlier one had left in the work tree.
 */
export async function findLifted(
  root: string,
  doubtful: DoubtfulFiles,
  limits: () => GitLimits,
): Promise<VouchedFiles> {
  const lifted = new Set<string>();
  const committed = new Set<string>();
  const { tip } = await findFetchedTip(root, limits());
  // All files where they are too many for a command line.
  const asked = doubtful.paths.length <= maxPaths ? doubtful.paths : [];
  const atTip = (tip !== undefined && (await readTree(root, tip, asked, limits()))) || new Map<string, string>();
  const atStart = await readTree(root, doubtful.commit, asked, limits());
  if (!atStart) return { lifted, committed };
  const stood = openStood(root, doubtful, asked, limits);
  const open: { path: string; seen: readonly (readonly string[])[] }[] = [];
  for (const path of doubtful.paths) {
    const now = await readFileBlobs(resolve(root, path));
    const begun = atStart.get(path);
    const isUntouched = now !== undefined && now.changedMs < doubtful.startedAt;
    if (isUntouched && begun !== undefined && now.blobs.includes(begun)) committed.add(path);
    const left = doubtful.left.get(path) ?? [];
    const elsewhere = isUntouched ? [] : await stood();
    const seen = isUntouched ? [now.blobs] : elsewhere && [left, ...namesOf(path, [atStart, ...elsewhere])];
    if (seen?.every((blobs) => blobs.includes(atTip.get(path) ?? ""))) lifted.add(path);
    else if (seen) open.push({ path, seen });
  }
  const vouched = await findVouched(root, open.slice(0, maxPaths), { tip, spans: doubtful.spans }, limits);
  for (const { path, seen } of open) {
    if (seen.every((blobs) => blobs.some((blob) => vouched.has(`${blob} ${path}`)))) lifted.add(path);
  }
  return { lifted, committed };
}

function namesOf(path: string, trees: readonly ReadonlyMap<string, string>[]): string[][] {
  return trees.flatMap((tree) => (tree.has(path) ? [[tree.get(path) ?? ""]] : []));
}

/**
 * What git had wherever HEAD stood while the session went on, other than in its own commits, which hold what it made of the
 * files; undefined where it moved too often. Asked for once, and only where a file needs it.
 */
function openStood(
  root: string,
  { startedAt }: DoubtfulFiles,
  asked: readonly string[],
  limits: () => GitLimits,
): () => Promise<ReadonlyMap<string, string>[] | undefined> {
  const look = async () => {
    const moves = await readRefLog(root, ["HEAD"], limits());
    const during = moves.filter(({ at, what }) => at + 1000 > startedAt && !/^commit\b/.test(what));
    const shas = [...new Set(during.map(({ sha }) => sha))];
    if (shas.length > maxMoves) return undefined;
    const trees: ReadonlyMap<string, string>[] = [];
    for (const sha of shas) {
      const tree = await readTree(root, sha, asked, limits());
      if (!tree) return undefined;
      trees.push(tree);
    }
    return trees;
  };
  let looked: ReturnType<typeof look> | undefined;
  return () => (looked ??= look());
}

/** Each version of these files that somebody answers for, as `blob path`. */
async function findVouched(
  root: string,
  open: readonly { path: string }[],
  { tip, spans }: { tip: string | undefined; spans: readonly Span[] },
  limits: () => GitLimits,
): Promise<ReadonlySet<string>> {
  if (open.length === 0) return new Set();
  const own = await findOwnAddress(root, limits());
  const isAgents = (at: number) => spans.some(([from, until]) => at >= from - slackMs && at <= until + slackMs);
  const isPersons = ({ at, author, committer }: Made) => author === own && committer === own && !isAgents(at);
  const format = "--format=@%ct %ae %ce";
  const history = ["log", "-n", String(maxCommits), "--raw", "--no-abbrev", "--no-renames", format];
  const ask = async (...from: string[]) => {
    const question = [
      ...plainPaths,
      "-c",
      "log.showRoot=true",
      ...history,
      ...from,
      "--",
      ...open.map(({ path }) => path),
    ];
    return (await runGit(root, question, limits())).output;
  };
  return new Set([
    // What came to the default branch is what everybody works with, whoever brought it. What an agent only committed is not.
    ...(tip === undefined ? [] : heldBy(await ask("-m", tip), () => true)),
    ...heldBy(await ask("HEAD"), isPersons),
  ]);
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
    const brought = readRawLine(line);
    if (isCounted && brought) held.push(`${brought.blob} ${brought.path}`);
  }
  return held;
}
