import { runGit, shareLimits, type GitLimits } from "../../base/git/git.js";
import { plainText } from "../../base/input/input.js";
import type { OrderedNote, Scratchpad } from "../scratchpad/session-view.js";
import { allRunsOf } from "../tools/command-runs.js";
import type { Origin } from "./folder-origins.js";
import { readRefLog } from "./ref-log.js";
import { findOwnAddress, type GitCommit } from "./session-commits.js";
import { messageFromElsewhere } from "../untrusted-sources/describe-untrusted-source.js";

const maxMessage = 500;
// Clocks of a build farm differ; a commit is dated to the second.
const slackMs = 120_000;

/**
 * Puts what git has in the place of what was noted of commits, when a session is over. A commit that the repository knows
 * and that was not made here in the session leads to nothing, whoever printed its name: its note is emptied. Of one that was,
 * what stands both in the command and in git is the agent's; a message that came from elsewhere says so. One that git does not
 * know any more, or where there is no git, keeps what the command itself said. `noted` is what git knows of those noted.
 */
export async function settleCommits(
  root: string,
  pads: readonly Scratchpad[],
  noted: readonly GitCommit[],
  { written = new Map(), ...all }: GitLimits & { written?: ReadonlyMap<string, Origin> },
): Promise<void> {
  const notes = pads
    .flatMap((pad) => pad.commits.map((note) => ({ note, pad })))
    .filter(({ note }) => isSha.test(note.sha))
    .toSorted((a, b) => a.note.at - b.note.at);
  if (notes.length === 0 || noted.length === 0) return;
  const limits = shareLimits(all);
  const known = noted.map(({ at, ...commit }) => ({ ...commit, at: at * 1000 }));
  const shas = known.map(({ sha }) => sha);
  const start = pads[0]?.start;
  const own = await findOwnAddress(root, limits());
  const isOwn = ({ author, committer }: Commit) => own === undefined || (author === own && committer === own);
  const madeAt = await findMade(root, shas, { start: start?.commit, isOwn, known }, limits);
  const given: string[] = [];
  for (const { note, pad } of notes) {
    const commit = known.find(({ sha }) => sha.startsWith(note.sha.toLowerCase()));
    if (!commit) continue;
    const times = [commit.at, ...(madeAt(commit) ?? [Infinity])];
    const [from, until] = [(start?.at ?? -Infinity) - slackMs, note.at + slackMs];
    if (times.some((at) => at < from || at > until)) {
      Object.assign(note, { sha: "", message: "" });
      continue;
    }
    if (headline(note.message) !== "") given.push(note.message);
    // What is amended without a new message has the one that an earlier command gave.
    const texts = headline(note.message) === "" ? given.toReversed() : [note.message];
    const text = texts.find((one) => headline(one) === headline(plainText(commit.message, maxMessage)));
    note.message = text === undefined ? plainText(commit.message, maxMessage) : shared(text, commit.message);
    const isFromOwnFile = isOwn(commit) && isWrittenBefore(messageFile(note, pad), note, { root, pads, written });
    if (text === undefined && !isFromOwnFile) note.outside = { from: "others", what: messageFromElsewhere };
  }
}

const isSha = /^[\da-f]{7,64}$/i;

interface Commit {
  sha: string;
  at: number;
  author: string;
  committer: string;
  message: string;
}

function headline(message: string): string {
  return message.trim().split("\n", 1)[0]?.trim() ?? "";
}

/** The lines that a command gave and that git has: what a hook or git itself added is nobody's here. */
function shared(given: string, message: string): string {
  const lines = plainText(message, 100_000)
    .split("\n")
    .map((line) => line.trim());
  const has = new Set(lines);
  return given
    .split("\n")
    .filter((line) => has.has(line.trim()) || (line.endsWith("…") && lines.some((one) => one.startsWith(cut(line)))))
    .join("\n")
    .trim();
}

/** A note holds the beginning of a long message, with a mark at its end. */
function cut(line: string): string {
  return line.slice(0, -1).trim();
}

/** The file from which the command of a commit took its message. */
function messageFile({ at }: OrderedNote<"commit">, { actions }: Scratchpad): string | undefined {
  const line = actions.findLast((one) => one.at <= at && /\bcommit\b/.test(one.command?.line ?? ""))?.command?.line;
  const runs = allRunsOf(line ?? "").filter(({ program, args }) => program === "git" && args.includes("commit"));
  const [args = []] = runs.length === 1 ? runs.map((run) => run.args.slice(run.args.indexOf("commit") + 1)) : [];
  const option = args.findIndex((one) => /^(?:-[a-z]*F|--file)$/.test(one));
  return option === -1 ? args.map((one) => /^(?:--file=|-F)(.+)$/.exec(one)?.[1]).find(Boolean) : args[option + 1];
}

/** Whether an agent that knew nothing but the project wrote a file, and nobody has since. */
function isWrittenBefore(
  file: string | undefined,
  { at }: OrderedNote<"commit">,
  { root, pads, written }: { root: string; pads: readonly Scratchpad[]; written: ReadonlyMap<string, Origin> },
): boolean {
  const base = `${root.replaceAll("\\", "/")}/`;
  const path = file?.startsWith(base) ? file.slice(base.length) : file?.replace(/^(?:\.\/)+/, "");
  if (path === undefined || written.get(path) !== "clean") return false;
  const writes = pads
    .flatMap(({ actions }) => actions)
    .filter(({ does, files }) => (does === "edit" || does === "run") && files?.includes(path));
  return writes.length > 0 && writes.every((one) => one.at <= at);
}

/**
 * When a commit was made in this clone: git's own log says so. Where git keeps none, by whoever works here, on the branch that
 * is checked out, and not before the session; then by its own date alone. Undefined for one that was not.
 */
async function findMade(
  root: string,
  shas: readonly string[],
  { start, isOwn, known }: { start: string | undefined; isOwn: (commit: Commit) => boolean; known: readonly Commit[] },
  limits: () => GitLimits,
): Promise<(commit: Commit) => number[] | undefined> {
  const isKnown = start !== undefined && isSha.test(start);
  const question = ["rev-list", "--ignore-missing", "-n", "2000"];
  const fresh = isKnown && (await runGit(root, [...question, ...shas, `^${start}`, "--"], limits()));
  const isNew = new Set(fresh && fresh.isWhole ? fresh.output.split("\n") : known.map(({ sha }) => sha));
  // A commit in another work tree stands in the log of its branch.
  const moves = await readRefLog(root, ["--branches", "HEAD"], limits());
  if (moves.length > 0) {
    const made = new Map(moves.filter(({ what }) => /^commit\b/.test(what)).map(({ sha, at }) => [sha, at]));
    return ({ sha }) => (made.has(sha) && isNew.has(sha) ? [made.get(sha) as number] : undefined);
  }
  const reached = isKnown && (await runGit(root, ["rev-list", "-n", "20000", "HEAD", `^${start}`, "--"], limits()));
  const isReached = new Set(reached && reached.isWhole ? reached.output.split("\n") : isNew);
  return (commit) => (isOwn(commit) && isNew.has(commit.sha) && isReached.has(commit.sha) ? [] : undefined);
}
