import { runGit, type GitLimits } from "../../base/git/git.js";
import type { SessionCommit } from "../cross-session/commit-queries.js";
import type { Scratchpad } from "../scratchpad/session-view.js";

const maxCommits = 20;
const maxFiles = 200;
// Clocks of hooks and of git, and a hook that tells of a commit when it is done.
const slackSeconds = 120;

const maxAsked = 200;

/** What git knows of the commits that are noted of a session, in their order; all questions about them rest on this one. */
export async function readNotedCommits(
  root: string,
  pads: readonly Scratchpad[],
  limits: GitLimits,
): Promise<GitCommit[]> {
  const shas = [...new Set(notedIn(pads).map(({ sha }) => sha))].slice(0, maxAsked);
  if (shas.length === 0) return [];
  const question = ["log", "--no-walk=unsorted", "--ignore-missing", "--name-only", `--format=${commitFormat}`];
  const { output, isWhole } = await runGit(root, [...question, ...shas, "--"], { ...limits, maxBytes: maxAnswerBytes });
  const known = readCommits(output);
  return isWhole ? known : known.slice(0, -1);
}

// Messages and names of files, of some large commits too.
const maxAnswerBytes = 16 * 1024 * 1024;

function notedIn(pads: readonly Scratchpad[]): Scratchpad["commits"] {
  return pads.flatMap(({ commits }) => commits).filter(({ sha }) => /^[\da-f]{7,64}$/i.test(sha));
}

/**
 * The commits that a session made, as git has them: those that it was seen to make, that bear the person's own name, and
 * that were made while it ran. A commit that somebody else made, or that was there before, says nothing about its work; nor
 * does one that names another author, who would pass for the one who merged it. `known` is what git knows of those noted.
 */
export async function listSessionCommits(
  root: string,
  pads: readonly Scratchpad[],
  known: readonly GitCommit[],
  limits: GitLimits,
): Promise<SessionCommit[]> {
  const notes = notedIn(pads);
  const noted = known.filter(({ sha }) => notes.some((note) => sha.startsWith(note.sha.toLowerCase())));
  if (noted.length === 0) return [];
  const own = await findOwnAddress(root, limits);
  const times = spanOf(pads);
  return noted
    .filter(({ author, committer }) => author === committer && (own === undefined || committer === own))
    .filter(({ at }) => at >= times.from - slackSeconds && at <= times.until + slackSeconds)
    .slice(-maxCommits)
    .map(({ sha, committer, subject, files }) => ({ sha, committer, subject, files: files.slice(0, maxFiles) }));
}

/** Who commits here, by address; undefined where git does not say. */
export async function findOwnAddress(root: string, limits: GitLimits): Promise<string | undefined> {
  const { output } = await runGit(root, ["config", "--get", "user.email"], limits);
  const address = output.trim().toLowerCase();
  return address === "" ? undefined : address;
}

export const commitFormat = "%x01%H%x02%P%x02%an%x02%ae%x02%cn%x02%ce%x02%ct%x02%s%x02%B%x03";

export interface GitCommit extends SessionCommit {
  parents: string[];
  /** The address of who wrote it. */
  author: string;
  authorName: string;
  committerName: string;
  /** Seconds since 1970. */
  at: number;
  message: string;
}

export function readCommits(output: string): GitCommit[] {
  return output
    .split("\u0001")
    .slice(1)
    .flatMap((text) => {
      const [head = "", names = ""] = text.split("\u0003");
      const [sha, parents = "", authorName = "", author = "", committerName = "", committer = "", at, ...said] =
        head.split("\u0002");
      const [subject = "", message = ""] = said;
      if (sha === undefined || sha === "") return [];
      return [
        {
          sha,
          parents: parents.split(" ").filter((parent) => parent !== ""),
          author: plainName(author),
          authorName: plainName(authorName),
          committerName: plainName(committerName),
          committer: plainName(committer),
          at: Number(at),
          subject: subject.slice(0, 500),
          message,
          files: names.split("\n").filter((name) => name !== ""),
        },
      ];
    });
}

/** A name or an address as far as it tells a person from others. */
export function plainName(name: string): string {
  return name.trim().toLowerCase();
}

/** From when to when a session ran, in seconds. */
function spanOf(pads: readonly Scratchpad[]): { from: number; until: number } {
  let [from, until] = [Infinity, -Infinity];
  for (const { start, end, actions, commits } of pads) {
    for (const note of [start, end, actions[0], actions.at(-1), commits[0], commits.at(-1)]) {
      if (note && Number.isFinite(note.at)) [from, until] = [Math.min(from, note.at), Math.max(until, note.at)];
    }
  }
  return { from: from / 1000, until: until / 1000 };
}
