import { runGit, type GitLimits } from "../../base/git/git.js";
import type { SessionCommit } from "../cross-session/commit-queries.js";
import { plainPaths } from "./left-files.js";
import { plainName } from "./session-commits.js";

/** A session, as far as it takes to find its work in commits. */
export interface LeftWork {
  session: number;
  startedAt: string;
  /** Each file that it changed, as it left it: git's name for the content, and the path. */
  left: readonly string[];
}

const maxPaths = 500;
const maxCommits = 2000;
const maxOfSession = 20;
const maxFiles = 200;
// A commit is dated to the second.
const slackMs = 1000;

/**
 * The commits that hold a file just as a session left it, by whoever works here: people commit by hand what their agent has
 * done, and nobody sees it. Each by the number of its session. A commit of somebody else says nothing about its work.
 */
export async function findLeftCommits(
  root: string,
  works: readonly LeftWork[],
  { own, tip }: { own: string | undefined; tip: string },
  limits: GitLimits,
): Promise<Map<number, SessionCommit[]>> {
  const found = new Map<number, SessionCommit[]>();
  const paths = [...new Set(works.flatMap(({ left }) => left.map((one) => one.slice(one.indexOf(" ") + 1))))];
  if (own === undefined || paths.length === 0) return found;
  const since = works.map(({ startedAt }) => startedAt).reduce((a, b) => (a < b ? a : b));
  // What was squashed, or whose branch is gone, stands in the log of HEAD.
  const from = ["--branches", "--reflog", "HEAD", tip];
  const shown = ["--raw", "--no-abbrev", "--no-renames", "--no-merges", "--full-diff"];
  const format = "--format=%x01%H%x02%ae%x02%ce%x02%ct%x02%s";
  const question = [...plainPaths, "log", "-n", String(maxCommits), `--since=${since}`, ...shown, format, ...from];
  const { output } = await runGit(root, [...question, "--", ...paths.slice(0, maxPaths)], limits);
  for (const commit of readHolding(output).filter(({ author, committer }) => author === own && committer === own)) {
    const { sha, committer, subject, files } = commit;
    for (const { session, startedAt, left } of works) {
      const known = found.get(session) ?? [];
      const isIts = commit.at + slackMs >= Date.parse(startedAt) && left.some((one) => commit.holds.has(one));
      if (isIts && known.length < maxOfSession) found.set(session, [...known, { sha, committer, subject, files }]);
    }
  }
  return found;
}

interface Holding extends SessionCommit {
  author: string;
  at: number;
  /** What it brought, as `blob path`. */
  holds: ReadonlySet<string>;
}

function readHolding(output: string): Holding[] {
  return output
    .split("\u0001")
    .slice(1)
    .map((text) => {
      const [head = "", ...lines] = text.split("\n");
      const [sha = "", author = "", committer = "", seconds, subject = ""] = head.split("\u0002");
      const brought = lines.flatMap((line) => {
        const [, blob, path] = /^:\S+ \S+ [\da-f]+ ([\da-f]+) [AMT]\t(.+)$/.exec(line) ?? [];
        return blob === undefined || path === undefined ? [] : [{ blob, path }];
      });
      return {
        sha,
        author: plainName(author),
        committer: plainName(committer),
        at: 1000 * Number(seconds),
        subject: subject.slice(0, 500),
        files: brought.map(({ path }) => path).slice(0, maxFiles),
        holds: new Set(brought.map(({ blob, path }) => `${blob} ${path}`)),
      };
    });
}
