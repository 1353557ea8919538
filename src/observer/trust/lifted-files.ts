import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { runGit, type GitLimits } from "../../base/git/git.js";
import type { Scratchpad } from "../scratchpad/session-view.js";
import { findFetchedTip } from "./merged-work.js";
import { findOwnAddress } from "./session-commits.js";

/** From when to when an agent could have made a commit, in milliseconds. */
export type Span = readonly [from: number, until: number];

// Sessions that read more of them than this are rare; the rest stays as it is.
const maxFiles = 100;
const maxCommits = 200;
// A commit is dated to the second, and by another clock than ours.
const slackMs = 3000;
const longestFile = 4 * 1024 * 1024;

/**
 * Of files that an agent wrote after it had read something untrusted those that are vouched for since: a commit holds them
 * just as they are that no session of an agent made, by the person who works here, or by whoever changes the remote's default
 * branch.
 */
export async function findLifted(
  root: string,
  files: readonly string[],
  spans: readonly Span[],
  limits: () => GitLimits,
): Promise<ReadonlySet<string>> {
  const asked = files.slice(0, maxFiles);
  if (asked.length === 0) return new Set();
  const own = await findOwnAddress(root, limits());
  const { tip } = await findFetchedTip(root, limits());
  const format = "--format=@%ct %ae %ce";
  const question = ["log", "-n", String(maxCommits), "--raw", "--no-abbrev", "--no-renames", format];
  const withRoot = ["-c", "log.showRoot=true", "-c", "core.quotePath=false"];
  const here = await runGit(root, [...withRoot, ...question, "HEAD", "--", ...asked], limits());
  const merged =
    tip === undefined
      ? { output: "" }
      : await runGit(root, [...withRoot, ...question, "--first-parent", "-m", tip, "--", ...asked], limits());
  const isAgents = (at: number) => spans.some(([from, until]) => at >= from - slackMs && at <= until + slackMs);
  const vouched = new Set([
    ...heldBy(here.output, ({ at, author, committer }) => author === own && committer === own && !isAgents(at)),
    ...heldBy(merged.output, ({ at, author, committer }) => (author !== own && committer !== own) || !isAgents(at)),
  ]);
  const lifted = new Set<string>();
  for (const file of asked) {
    for (const blob of await blobsOf(resolve(root, file))) if (vouched.has(`${blob} ${file}`)) lifted.add(file);
  }
  return lifted;
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

/** The names that git gives the content of a file, as it is and with the ends of lines that it may have on Windows. */
async function blobsOf(path: string): Promise<string[]> {
  try {
    const content = await readFile(path);
    if (content.length > longestFile) return [];
    const plain = content.includes("\r\n")
      ? [Buffer.from(content.toString("latin1").replaceAll("\r\n", "\n"), "latin1")]
      : [];
    return [content, ...plain].flatMap((bytes) => ["sha1", "sha256"].map((kind) => nameOf(bytes, kind)));
  } catch {
    return [];
  }
}

function nameOf(content: Buffer, kind: string): string {
  return createHash(kind).update(`blob ${content.length}\0`).update(content).digest("hex");
}
