import { plainPaths, readRawLine, runGit, type GitLimits } from "../../base/git/git.js";
import type { SessionCommit } from "../cross-session/commit-queries.js";
import { plainName } from "./session-commits.js";

/** A session, as far as it takes to find its work in commits. */
export interface LeftWork {
  session: number;
  startedAt: string;
  /** Each file that it changed, as it left it. */
  leftFiles: readonly { path: string; blob: string }[];
}

/** A commit that holds files just as a session left them. */
export interface LeftCommit {
  commit: SessionCommit;
  /** Their paths. */
  holds: readonly string[];
}

export interface LeftCommits {
  /** By the number of the session. */
  found: Map<number, LeftCommit[]>;
  /** False where git did not say all in time. */
  isWhole: boolean;
}

// Paths are arguments of one call.
const maxPaths = 500;
const maxCommits = 2000;
const maxOfSession = 20;
const maxFiles = 200;
const maxAnswerBytes = 16 * 1024 * 1024;
// A commit is dated to the second.
const slackMs = 1000;
// Many a commit adds an empty file.
const empty: ReadonlySet<string> = new Set([
  "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
  "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
]);

/**
 * The commits that hold files just as sessions left them, by whoever works here: people commit by hand what their agent has
 * done, and nobody sees it. A commit of somebody else says nothing about a session's work.
 */
export async function findLeftCommits(
  root: string,
  works: readonly LeftWork[],
  { own, tip }: { own: string | undefined; tip: string },
  limits: GitLimits,
): Promise<LeftCommits> {
  const found = new Map<number, LeftCommit[]>();
  const telling = works.map((work) => ({ ...work, leftFiles: work.leftFiles.filter(({ blob }) => !empty.has(blob)) }));
  const paths = [...new Set(telling.flatMap(({ leftFiles }) => leftFiles.map(({ path }) => path)))];
  if (own === undefined || paths.length === 0) return { found, isWhole: true };
  const since = works.map(({ startedAt }) => startedAt).reduce((a, b) => (a < b ? a : b));
  // What was squashed, or whose branch is gone, stands in the log of HEAD.
  const from = ["--branches", "--reflog", "HEAD", tip];
  const shown = ["--raw", "--no-abbrev", "--no-renames", "--no-merges", "--full-diff"];
  const format = "--format=%x01%H%x02%ae%x02%ce%x02%ct%x02%s";
  const question = [...plainPaths, "log", "-n", String(maxCommits), `--since=${since}`, ...shown, format, ...from];
  const { output, isWhole } = await runGit(root, [...question, "--", ...paths.slice(0, maxPaths)], {
    ...limits,
    maxBytes: maxAnswerBytes,
  });
  for (const made of readMade(output).filter(({ author, committer }) => author === own && committer === own)) {
    for (const { session, startedAt, leftFiles } of telling) {
      const isLater = made.at + slackMs >= Date.parse(startedAt);
      const held = isLater ? leftFiles.filter(({ path, blob }) => made.brought.get(path) === blob) : [];
      const known = found.get(session) ?? [];
      if (held.length === 0 || known.length === maxOfSession) continue;
      const { sha, committer, subject } = made;
      const commit = { sha, committer, subject, files: [...made.brought.keys()].slice(0, maxFiles) };
      found.set(session, [...known, { commit, holds: held.map(({ path }) => path) }]);
    }
  }
  return { found, isWhole };
}

/** Whether these commits hold so much of a session's work that they stand for it: at least half of its files. */
export function holdWork({ leftFiles }: Pick<LeftWork, "leftFiles">, commits: readonly LeftCommit[]): boolean {
  const all = new Set(leftFiles.filter(({ blob }) => !empty.has(blob)).map(({ path }) => path));
  const held = new Set(commits.flatMap(({ holds }) => holds));
  return held.size > 0 && 2 * held.size >= all.size;
}

interface Made {
  sha: string;
  author: string;
  committer: string;
  at: number;
  subject: string;
  /** By path, git's name for the content. */
  brought: ReadonlyMap<string, string>;
}

function readMade(output: string): Made[] {
  return output
    .split("\u0001")
    .slice(1)
    .map((text) => {
      const [head = "", ...lines] = text.split("\n");
      const [sha = "", author = "", committer = "", seconds, subject = ""] = head.split("\u0002");
      const brought = lines.flatMap((line) => readRawLine(line) ?? []);
      return {
        sha,
        author: plainName(author),
        committer: plainName(committer),
        at: 1000 * Number(seconds),
        subject: subject.slice(0, 500),
        brought: new Map(brought.map(({ path, blob }) => [path, blob])),
      };
    });
}
