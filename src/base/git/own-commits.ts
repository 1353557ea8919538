import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type GitAnswer, type GitLimits, runGit, shareLimits } from "./run-git.js";

/** Who committed something, as git has it. Anybody can write any name into a commit: it is proof only with what follows. */
export interface CommitAuthor {
  name: string;
  email: string;
  /** This clone made the commit by `git commit`, and its user is both its author and its committer. */
  isOwn: boolean;
  /** This clone made it, of its own work or of somebody's: by a rebase, a cherry-pick, a merge, an amendment. */
  isMadeHere: boolean;
}

/** What a clone knows of its own work. */
export interface OwnCommits {
  me: string;
  own: ReadonlySet<string>;
  made: ReadonlySet<string>;
  /** The oldest commits that are here need not be those that brought what they have. */
  isShallow: boolean;
  /** Commits that no branch need have: where HEAD was, and what was fetched or is being merged. */
  others: string[];
  /** Asks git something else in the time that is left. */
  ask: (...args: string[]) => Promise<GitAnswer>;
}

/** Undefined where git does not answer, in time or at all: that it names nobody then says nothing. */
export async function readOwnCommits(root: string, limits: GitLimits): Promise<OwnCommits | undefined> {
  const each = shareLimits(limits);
  const ask = (...args: string[]) => runGit(root, [...plain, ...args], each());
  const place = await ask("rev-parse", "--is-shallow-repository", "--absolute-git-dir");
  if (!place.isWhole) return undefined;
  const [shallow = "", folder = ""] = place.output.split("\n");
  // Neither has an answer where nothing is set or committed.
  const [email, reflog] = [await ask("config", "user.email"), await ask("log", "-g", "--format=%H %gs", "HEAD", "--")];
  if (email.isLate || reflog.isLate) return undefined;
  const lines = reflog.output.split("\n");
  const others = [...listNoted(folder), ...lines.map((line) => line.split(" ", 1)[0] ?? "")];
  return {
    me: email.output.trim(),
    own: listOwn(lines),
    made: listMade(lines),
    isShallow: shallow !== "false",
    others: [...new Set(others.filter((one) => one !== ""))].slice(0, maxOthers),
    ask,
  };
}

const plain = ["-c", "core.quotePath=false", "-c", "log.showRoot=true", "-c", "log.follow=false"];

// They are arguments of one call.
const maxOthers = 1000;

// Of what is being merged, picked or squashed, git keeps a note until it is committed.
const notes = ["FETCH_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "ORIG_HEAD", "SQUASH_MSG"];
const longestNote = 1024 * 1024;

function listNoted(folder: string): string[] {
  return notes.flatMap((name) => {
    try {
      const file = join(folder, name);
      if (!statSync(file).isFile() || statSync(file).size > longestNote) return [];
      return readFileSync(file, "utf8").match(/\b[0-9a-f]{40}(?:[0-9a-f]{24})?\b/g) ?? [];
    } catch {
      return [];
    }
  });
}

/**
 * The commits that this clone made with `git commit`, by what it notes of itself: not what was fetched, nor what was picked or
 * rebased, which is somebody's change again. An amended one is its own where the one before was.
 */
function listOwn(reflog: readonly string[]): Set<string> {
  const own = new Set<string>();
  let before = "";
  for (const line of reflog.toReversed()) {
    const [, commit = "", how = ""] = /^([0-9a-f]+) commit(?: \((\w+)\))?:/.exec(line) ?? [];
    const isMade = how === "" || how === "initial" || how === "merge" || (how === "amend" && own.has(before));
    if (commit !== "" && isMade) own.add(commit);
    before = line.split(" ", 1)[0] ?? "";
  }
  return own;
}

const making =
  /^([0-9a-f]+) (?:commit\b|rebase\b|pull\b.*\((?:pick|squash|fixup|reword|edit|continue)\)|cherry-pick\b|revert\b|(?:merge|pull)\b.*: Merge made)/;

function listMade(reflog: readonly string[]): Set<string> {
  const made = reflog.filter((line) => !/: fast-forward\b|\((?:start|finish|abort)\)/i.test(line));
  return new Set(made.flatMap((line) => making.exec(line)?.[1] ?? []));
}
