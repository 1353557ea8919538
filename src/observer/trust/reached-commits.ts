import { runGit, type GitLimits } from "../../base/git/git.js";
import type { SessionCommit } from "../cross-session/commit-queries.js";
import { commitFormat, plainName, readCommits } from "./session-commits.js";

/** How commits came into a branch. */
export interface ReachedCommits {
  /** By which commit of the branch's first parents one came there, as it is or rebased: with its author and its message. */
  findMerge: (commit: SessionCommit) => string | undefined;
  isWhole: boolean;
}

const maxReachable = 20_000;
const maxAnswerBytes = 16 * 1024 * 1024;
// Below that many say the same: "Fix tests".
const shortestSubject = 20;
// A branch that was merged before it was rebased again has it twice.
const maxNamesakes = 5;

/** A commit of a session, the name of who made it, and what it says, where it is still here. */
export interface OwnCommit extends SessionCommit {
  name: string;
  message?: string;
}

/** Walks what a branch has gained since a day, and looks there for these commits: two questions to git. */
export async function readReached(
  root: string,
  { tip, since, commits }: { tip: string; since: string; commits: readonly OwnCommit[] },
  limits: () => GitLimits,
): Promise<ReachedCommits> {
  const question = ["log", "-n", String(maxReachable), `--since=${since}`, "--format=%H %P%x00%ae%x00%s", tip, "--"];
  const { output, isWhole } = await runGit(root, question, { ...limits(), maxBytes: maxAnswerBytes });
  const wanted = new Set(commits.map(({ committer, subject }) => nameOf(committer, subject)));
  const parents = new Map<string, readonly string[]>();
  const named = new Map<string, string[]>();
  for (const line of output.split("\n")) {
    const [graph = "", author = "", subject = ""] = line.split("\0");
    const [sha = "", ...rest] = graph.trimEnd().split(" ");
    parents.set(sha, rest);
    const name = nameOf(plainName(author), subject);
    if (subject.length < shortestSubject || !wanted.has(name)) continue;
    const others = named.get(name);
    if (!others) named.set(name, [sha]);
    else if (others.length < maxNamesakes) others.push(sha);
  }
  const cameBy = arrivalsIn(parents, tip);
  const asked = commits.filter(({ sha }) => !cameBy.has(sha));
  const rebased = await findRebased(root, asked, named, limits);
  return { findMerge: ({ sha }) => cameBy.get(sha) ?? mergeOf(rebased.get(sha), cameBy), isWhole };
}

/** Of a commit that stands on the branch itself there is no merge. */
function mergeOf(sha: string | undefined, cameBy: ReadonlyMap<string, string>): string | undefined {
  const merge = sha === undefined ? undefined : cameBy.get(sha);
  return merge === sha ? undefined : merge;
}

/** What a rebase made of commits: the same author, the same message, and all of their files. */
async function findRebased(
  root: string,
  commits: readonly OwnCommit[],
  named: ReadonlyMap<string, readonly string[]>,
  limits: () => GitLimits,
): Promise<ReadonlyMap<string, string>> {
  const namesakesOf = ({ committer, subject }: OwnCommit) => named.get(nameOf(committer, subject)) ?? [];
  const shas = [...new Set(commits.flatMap(namesakesOf))];
  if (shas.length === 0) return new Map();
  const question = ["log", "--no-walk=unsorted", "--name-only", `--format=${commitFormat}`, ...shas, "--"];
  const { output } = await runGit(root, question, { ...limits(), maxBytes: maxAnswerBytes });
  const known = new Map(readCommits(output).map((one) => [one.sha, one]));
  return new Map(
    commits.flatMap((commit) => {
      const same = namesakesOf(commit).find((sha) => {
        const other = known.get(sha);
        return other && other.message.trim() === commit.message && coversFiles(other, commit.files);
      });
      return same === undefined ? [] : [[commit.sha, same] as const];
    }),
  );
}

/** Whether a commit touches all of these files, and there are any. */
export function coversFiles({ files }: Pick<SessionCommit, "files">, wanted: readonly string[]): boolean {
  const touched = new Set(files);
  return wanted.length > 0 && wanted.every((file) => touched.has(file));
}

function nameOf(author: string, subject: string): string {
  return `${author}\0${subject.slice(0, 500)}`;
}

/** Of each commit that is reachable from a tip, by which commit of its first parents it came there. */
function arrivalsIn(parents: ReadonlyMap<string, readonly string[]>, tip: string): ReadonlyMap<string, string> {
  const mainline: string[] = [];
  for (let sha: string | undefined = tip; sha !== undefined && parents.has(sha); sha = parents.get(sha)?.[0]) {
    mainline.push(sha);
  }
  const arrivals = new Map(mainline.map((sha) => [sha, sha]));
  // The oldest first: what came by one merge is in all later ones.
  for (const merge of mainline.toReversed()) {
    const open = (parents.get(merge) ?? []).slice(1);
    for (let sha = open.pop(); sha !== undefined; sha = open.pop()) {
      if (arrivals.has(sha) || !parents.has(sha)) continue;
      arrivals.set(sha, merge);
      open.push(...(parents.get(sha) ?? []));
    }
  }
  return arrivals;
}
