import type { GitAnswer } from "./run-git.js";
import type { CommitAuthor, OwnCommits } from "./own-commits.js";

/** What a commit did to one file. */
export interface FileChange {
  commit: string;
  author: CommitAuthor;
  /** Git does not have what was before: what the file holds may be older, and anybody's. */
  isBorder: boolean;
  path: string;
  /** What the file holds since, by git's name for it; only zeros where it is gone. */
  blob: string;
  isMerge: boolean;
  /** What no parent had. */
  brought: Set<string>;
  /** What a merge has from one side alone. */
  taken: Set<string>;
  /** What a parent had. */
  removed: Set<string>;
}

/**
 * Every change of the files below a path, on whatever branch, the newest first. A stash counts for nothing: it repeats what lay
 * in the work tree.
 */
export async function readFileChanges(
  known: OwnCommits,
  below: string,
): Promise<{ changes: FileChange[]; answer: GitAnswer }> {
  const from = ["--exclude=refs/stash", "--all", "--ignore-missing", ...known.others];
  // Without the full history, a side that came to nothing in the end is left out. Combined for merges: what a merge itself
  // changed is its author's.
  const commits = ["log", "--full-history", ...from, "-c", "--raw", "--no-abbrev", "--no-renames"];
  // Whatever a .gitattributes says: drivers would be started, and a file that passes for binary shows no lines.
  const lines = ["-p", "-U0", "--text", "--no-color", "--no-ext-diff", "--no-textconv"];
  const names = ["--src-prefix=a/", "--dst-prefix=b/", "--format=%x00%H%x00%P%x00%an%x00%ae%x00%ce"];
  const answer = await known.ask(...commits, ...lines, ...names, "--", below);
  return { changes: parse(answer.output, known), answer };
}

/** The lines of a text as they are compared, without the signs that make them a list, and without those that say nothing. */
export function linesOf(text: string): string[] {
  return text
    .split(/\r\n?|\n/)
    .map((line) =>
      line
        .replace(listSigns, "")
        .replace(/\$Id(?::[^$]*)?\$/g, "$Id$")
        .trimEnd(),
    )
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
}

const listSigns = /^(?:[\s\uFEFF]|[-*+](?=\s)|\d{1,9}[.)](?=\s))+/;

// One old side for each parent; what counts is the new one. "::100644 100644 100644 AAA BBB CCC MM\tpath"
const rawLine = /^:+(?:\d+ )+(?:[0-9a-f]+ )+(?<blob>[0-9a-f]{40,64}) [A-Z]+\t(?<path>[^]+)$/;

function parse(log: string, known: OwnCommits): FileChange[] {
  const changes: FileChange[] = [];
  let commit: Pick<FileChange, "commit" | "author" | "isBorder"> | undefined;
  let files = new Map<string, FileChange>();
  let file: FileChange | undefined;
  // How many signs begin a line of the file: one for each parent. None outside of its lines.
  let signs = 0;
  for (const line of log.split("\n")) {
    if (line.startsWith("\0")) {
      commit = parseCommit(line, known);
      [files, file, signs] = [new Map(), undefined, 0];
    } else if (line.startsWith("diff ")) {
      file = files.get(pathOf(line));
      signs = 0;
    } else if (line.startsWith("@@")) signs = (/^@+/.exec(line)?.[0].length ?? 2) - 1;
    else if (signs > 0) {
      const before = line.slice(0, signs);
      const side = /^\++$/.test(before) ? "brought" : before.includes("+") ? "taken" : "removed";
      if (/[+-]/.test(before)) for (const one of linesOf(line.slice(signs))) file?.[side].add(one);
    } else {
      const { blob, path } = rawLine.exec(line)?.groups ?? {};
      if (!commit || blob === undefined || path === undefined) continue;
      const isMerge = line.startsWith("::");
      const lines = { brought: new Set<string>(), taken: new Set<string>(), removed: new Set<string>() };
      const change = { ...commit, path, blob, isMerge, ...lines };
      files.set(path, change);
      changes.push(change);
    }
  }
  return changes;
}

function parseCommit(
  line: string,
  { me, own, made, isShallow }: OwnCommits,
): Pick<FileChange, "commit" | "author" | "isBorder"> {
  const [commit = "", parents = "", name = "", email = "", committer = ""] = line.slice(1).split("\0");
  const isMine = (address: string) => me !== "" && address.toLowerCase() === me.toLowerCase();
  const isOwn = own.has(commit) && isMine(email) && isMine(committer);
  const isMadeHere = isOwn || (made.has(commit) && isMine(committer));
  return { commit, author: { name, email, isOwn, isMadeHere }, isBorder: isShallow && parents === "" && !isOwn };
}

/** "diff --git a/PATH b/PATH", quoted or not, and "diff --combined PATH". */
function pathOf(line: string): string {
  const both = /^diff --git (.*)$/.exec(line)?.[1];
  return both === undefined
    ? line.replace(/^diff --\w+ /, "")
    : both.slice(0, (both.length - 1) / 2).replace(/^("?)a\//, "$1");
}
