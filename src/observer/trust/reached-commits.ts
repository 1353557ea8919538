import { runGit, type GitLimits } from "../../base/git/git.js";
import type { SessionCommit } from "../cross-session/commit-queries.js";
import { plainName } from "./session-commits.js";

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

/** Walks what a branch has gained since a day, and looks there for these commits: two questions to git. */
export async function readReached(
  root: string,
  { tip, since, commits }: { tip: string; since: string; commits: readonly SessionCommit[] },
  limits: () => GitLimits,
): Promise<ReachedCommits> {
  const question = ["log", "-n", String(maxReachable), `--since=${since}`, "--format=%H %P%x00%ae%x00%s", tip, "--"];
  const { output, isWhole } = await runGit(root, question, { ...limits(), maxBytes: maxAnswerBytes });
  const parents = new Map<string, readonly string[]>();
  const named = new Map<string, string[]>();
  for (const line of output.split("\n")) {
    const [graph = "", author = "", subject = ""] = line.split("\0");
    const [sha = "", ...rest] = graph.trimEnd().split(" ");
    parents.set(sha, rest);
    if (subject.length < shortestSubject) continue;
    const name = nameOf(plainName(author), subject);
    named.set(name, [...(named.get(name) ?? []), sha]);
  }
  const cameBy = arrivalsIn(parents, tip);
  const namesakes = new Map<string, readonly string[]>();
  for (const { sha, committer, subject } of commits) {
    const others = cameBy.has(sha) ? [] : (named.get(nameOf(committer, subject)) ?? []);
    const merged = others.filter((other) => cameBy.has(other) && cameBy.get(other) !== other).slice(0, maxNamesakes);
    if (merged.length > 0) namesakes.set(sha, merged);
  }
  const messages = await readMessages(root, [...namesakes].flat(2), limits);
  return {
    findMerge: ({ sha }) => {
      const message = messages.get(sha);
      const isSame = (other: string) => message !== undefined && messages.get(other) === message;
      return cameBy.get(sha) ?? cameBy.get(namesakes.get(sha)?.find(isSame) ?? "");
    },
    isWhole,
  };
}

/** What commits say, as far as they are still here. */
async function readMessages(
  root: string,
  shas: readonly string[],
  limits: () => GitLimits,
): Promise<ReadonlyMap<string, string>> {
  if (shas.length === 0) return new Map();
  const question = ["log", "--no-walk=unsorted", "--ignore-missing", "--format=%x01%H%x02%B", ...shas, "--"];
  const { output } = await runGit(root, question, { ...limits(), maxBytes: maxAnswerBytes });
  const told = output.split("\u0001").map((one) => one.split("\u0002"));
  return new Map(told.map(([sha = "", message = ""]) => [sha, message.trim()]));
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
