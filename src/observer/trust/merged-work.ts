import { runGit, shareLimits, type GitLimits } from "../../base/git/git.js";
import type { SessionCommit } from "../cross-session/commit-queries.js";
import { coversFiles, readReached, type OwnCommit } from "./reached-commits.js";
import { commitFormat, plainName, readCommits, type GitCommit } from "./session-commits.js";

/** Who took a commit into the default branch of the remote, and with which commit. */
export interface Merger {
  sha: string;
  /** The address of whoever that was. */
  by: string;
  /** Milliseconds since 1970. */
  at: number;
  /** A forge did it for the one who works here, and names them as who pressed its button. */
  isOwn: boolean;
}

/** The tip of a branch, as far as git said in time. */
export interface FetchedTip {
  tip?: string;
  isLate: boolean;
}

/**
 * The commit that the default branch of the remote stood at when git last fetched it; undefined where there is none. A
 * branch that something else has written since is not believed: whoever may run commands here could have done that. Where
 * git keeps no log of its branches, the branch itself counts.
 */
export async function findFetchedTip(root: string, all: GitLimits): Promise<FetchedTip> {
  const limits = shareLimits(all);
  const format = "--format=%(refname)%00%(symref)%00%(objectname)";
  const names = ["HEAD", "main", "master"].map((name) => `refs/remotes/*/${name}`);
  const { output, isLate } = await runGit(root, ["for-each-ref", format, ...names], limits());
  const refs = output
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split("\0") as [name: string, target: string, sha: string])
    .toSorted(([a], [b]) => rankOf(a) - rankOf(b));
  const [first] = refs;
  if (isLate || !first) return { isLate };
  const [name, target, sha] = first;
  const ref = target === "" ? name : target;
  const log = await runGit(root, ["log", "-g", "-n", "200", "--format=%H%x00%gs", ref, "--"], limits());
  const entries = log.output.split("\n").filter((line) => line !== "");
  if (log.isLate) return { isLate: true };
  if (entries.length === 0) return { tip: sha, isLate: false };
  const remote = /^refs\/remotes\/([^/]+)\//.exec(ref)?.[1] ?? "";
  const fetched = entries.map((line) => line.split("\0")).find(([, why = ""]) => isFetched(why, remote));
  return { ...(fetched?.[0] !== undefined && { tip: fetched[0] }), isLate: false };
}

function rankOf(ref: string): number {
  return (
    (ref.startsWith("refs/remotes/origin/") ? 0 : 10) +
    ["/HEAD", "/main", "/master"].findIndex((end) => ref.endsWith(end))
  );
}

/**
 * `fetch origin main: fast-forward`, `pull --rebase: …`, `clone: from …`; not `fetch . HEAD:…`, which asks nobody, nor
 * `fetch origin +any:refs/…`, which puts any branch in the place of another.
 */
function isFetched(why: string, remote: string): boolean {
  const [, words = ""] = /^(?:fetch|pull|clone)\b([^:]*): /.exec(why) ?? [undefined, "."];
  const source = words.split(" ").find((word) => word !== "" && !word.startsWith("-"));
  return source === undefined || source === remote;
}

// A busy branch gets some dozens a week; what is older was looked at before.
const maxMainline = 3000;

/** What became of commits, as far as the time sufficed. */
export interface MergedWork {
  merged: Map<string, Merger>;
  /** False where some could not be looked at in time. */
  isWhole: boolean;
}

/**
 * Of these commits those that somebody took into the default branch: by a merge, by a rebase, or squashed. A commit that its
 * own committer pushed or merged there is not among them, unless a forge did it for them.
 */
export async function findMerged(
  root: string,
  tip: string,
  { commits, since }: { commits: readonly SessionCommit[]; since: string },
  all: GitLimits,
): Promise<MergedWork> {
  const limits = shareLimits(all);
  const named = await withNames(root, commits, limits);
  // Without names, one's own merge under another address would pass for somebody else's.
  if (limits().timeoutMs <= 0) return { merged: new Map(), isWhole: false };
  const question = ["log", "--first-parent", "-n", String(maxMainline), `--since=${since}`, "--name-only"];
  const log = await runGit(root, [...question, `--format=${commitFormat}`, tip, "--"], limits());
  const mainline = readCommits(log.output);
  const onMainline = new Map(mainline.map((commit) => [commit.sha, commit]));
  const reached = await readReached(root, { tip, since, commits: named }, limits);
  const merged = new Map<string, Merger>();
  const note = (commit: OwnCommit, by: GitCommit | undefined) => {
    const merger = by && findMerger(by, commit);
    if (merger) merged.set(commit.sha, merger);
  };
  // What needs no further question first.
  const open = named.filter(({ sha }) => !onMainline.has(sha));
  for (const commit of open) {
    const merge = reached.findMerge(commit);
    note(commit, merge === undefined ? mainline.find((one) => isSquashOf(one, commit)) : onMainline.get(merge));
  }
  const added = openAddedLines(root, limits);
  for (const commit of open.filter((one) => !merged.has(one.sha) && reached.findMerge(one) === undefined)) {
    if (limits().timeoutMs <= 0) return { merged, isWhole: false };
    note(commit, await findSamePatch(commit, mainline, added));
  }
  return { merged, isWhole: log.isWhole && reached.isWhole };
}

/**
 * The same commits with what git says of them. The names that they were made under, because on a forge people often go by another
 * address: of a commit that is gone, the name is that of who works here now.
 */
async function withNames(
  root: string,
  commits: readonly SessionCommit[],
  limits: () => GitLimits,
): Promise<OwnCommit[]> {
  const shas = commits.map(({ sha }) => sha);
  const question = ["log", "--no-walk=unsorted", "--ignore-missing", "--format=%x01%H%x02%an%x02%B"];
  const told = await runGit(root, [...question, ...shas, "--"], { ...limits(), maxBytes: maxMessageBytes });
  const known = new Map(
    told.output.split("\u0001").map((one) => {
      const [sha = "", name = "", message = ""] = one.split("\u0002");
      return [sha, { name, message: message.trim() }] as const;
    }),
  );
  const isKnown = shas.every((sha) => known.has(sha));
  const now = isKnown ? "" : (await runGit(root, ["config", "--get", "user.name"], limits())).output;
  return commits.map((commit) => {
    const { name = now, message } = known.get(commit.sha) ?? {};
    return { ...commit, name: plainName(name), ...(message !== undefined && message !== "" && { message }) };
  });
}

const maxMessageBytes = 16 * 1024 * 1024;

/**
 * Who took somebody's commit into the branch, where git says so. A forge commits in its own name: of a merge the author is who
 * pressed the button; of a squash or a rebase it is who opened the pull request, and nobody knows who pressed.
 */
function findMerger(by: GitCommit, own: OwnCommit): Merger | undefined {
  const isOwn = (address: string, name: string) => address === own.committer || (name !== "" && name === own.name);
  const merger = (address: string, isByOwner = false) => ({
    sha: by.sha,
    by: address,
    at: 1000 * by.at,
    isOwn: isByOwner,
  });
  if (isOwn(by.committer, by.committerName)) return undefined;
  if (by.parents.length <= 1 && !standIn.test(by.committer)) return merger(by.committer);
  if (standIn.test(by.author)) return undefined;
  if (!isOwn(by.author, by.authorName)) return merger(by.author);
  return by.parents.length > 1 && forge.test(by.committer) ? merger(by.author, true) : undefined;
}

// The address of no person: of a forge, of its web pages, or of a program that merges. People's own addresses there have a
// name before the @: 1234+ann@users.noreply.github.com.
const standIn =
  /^(?:(?:no|do-?not)[-_.]?reply|web-flow|gitlab|gitea|forgejo|codeberg|bitbucket|bors|mergify|merge-?(?:bot|queue))@|\[bot\]@|^[^@]*$/;
// In these names forges commit what a person does on their web pages. Other programs have addresses of that form, too.
const forge = /^noreply@(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org)$/;

/** What a squash says: the subject of each commit in a line of its own. It touches at least the same files. */
function isSquashOf(squash: GitCommit, commit: OwnCommit): boolean {
  const { subject, files } = commit;
  if (squash.parents.length > 1 || subject.length < 10 || files.length === 0) return false;
  if (findMerger(squash, commit) === undefined) return false;
  const lines = squash.message.split("\n").map((line) =>
    line
      .replace(/^\s*[-*]\s+/, "")
      .replace(/\s+\(#\d+\)\s*$/, "")
      .trim(),
  );
  return lines.includes(subject.trim()) && coversFiles(squash, files);
}

const maxCompared = 3;
// A review changes a line or two before it is merged.
const leastShare = 0.8;
const fewestLines = 3;

/** The squash whose change holds nearly all the lines that the commit wrote. */
async function findSamePatch(
  commit: OwnCommit,
  mainline: readonly GitCommit[],
  added: (sha: string) => Promise<ReadonlySet<string>>,
): Promise<GitCommit | undefined> {
  const { files } = commit;
  const mayBe = (other: GitCommit) => other.parents.length === 1 && findMerger(other, commit) !== undefined;
  const like = files.length === 0 ? [] : mainline.filter((other) => mayBe(other) && coversFiles(other, files));
  const own = like.length === 0 ? undefined : await added(commit.sha);
  if (!own || own.size < fewestLines) return undefined;
  // The oldest first: that is where it came in.
  for (const other of like.toReversed().slice(0, maxCompared)) {
    const theirs = await added(other.sha);
    const shared = [...own].filter((line) => theirs.has(line)).length;
    if (shared >= leastShare * own.size) return other;
  }
  return undefined;
}

/** Gives the lines that a commit wrote, each with its file; of each commit git is asked once. */
function openAddedLines(root: string, limits: () => GitLimits): (sha: string) => Promise<ReadonlySet<string>> {
  const known = new Map<string, Promise<ReadonlySet<string>>>();
  return async (sha) => {
    const before = known.get(sha) ?? readAdded(root, sha, limits());
    known.set(sha, before);
    return before;
  };
}

/** The lines that a commit wrote, each with its file. */
async function readAdded(root: string, sha: string, limits: GitLimits): Promise<ReadonlySet<string>> {
  if (limits.timeoutMs <= 0) return new Set();
  const question = ["diff-tree", "-p", "-U0", "--no-ext-diff", "--no-textconv", "--no-color", "--no-commit-id", sha];
  const { output } = await runGit(root, question, { maxBytes: 4 * 1024 * 1024, ...limits });
  const added = new Set<string>();
  let file = "";
  for (const line of output.split("\n")) {
    if (line.startsWith("+++ ")) file = line.slice(4);
    else if (line.startsWith("+") && line.trim().length > 6) added.add(`${file}\n${line.slice(1).trim()}`);
  }
  return added;
}
