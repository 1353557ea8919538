import { runGit, type GitLimits } from "../../base/git/git.js";
import { globOf } from "./glob-of.js";
import type { TrackedFiles } from "./tracked-files.js";
import { openTrackedIndex } from "./tracked-index.js";

/** The names of a project that were there before a session read anything from outside. */
export interface KnownNames {
  /** A file or folder of the project, or a pattern that some of its files match. */
  isPath(text: string): boolean;
  /** A word of a tracked file, or one that was in use before. */
  isWord(word: string): boolean;
}

interface NameSources {
  root: string;
  /** The commit that the session began at; HEAD where none is known. */
  commit?: string | undefined;
  tracked: TrackedFiles;
  /** Words and paths that were in use before. */
  seen: ReadonlySet<string>;
}

// One question to git for all of them. A session has some dozens; who brings more gets an answer for the first of them.
const maxWords = 400;

/**
 * Asks git once which of these words stand in the tracked files. What it does not answer in time is not known.
 *
 * @example
 * const names = await openKnownNames({ root, tracked, seen: new Set() }, ["readToken"], { timeoutMs: 1000 });
 * names.isWord("readToken"); // true
 */
export async function openKnownNames(
  { root, commit, tracked: told, seen }: NameSources,
  words: Iterable<string>,
  limits: GitLimits,
): Promise<KnownNames> {
  const tracked = openTrackedIndex(told === "unknown" ? new Set() : told);
  const asked = [...new Set(words)].filter((word) => isPlainName(word) && !seen.has(word)).slice(0, maxWords);
  const found = tracked.hasGit && asked.length > 0 ? await findInTree(root, commit, asked, limits) : new Set<string>();
  return {
    isPath(text) {
      if (text === ".") return true;
      if (!isPlainPath(text)) return false;
      if (tracked.has(text) || (!tracked.hasGit && seen.has(text))) return true;
      return text.includes("*") && tracked.hasMatch(text, globOf(text));
    },
    isWord: (word) => isPlainName(word) && (seen.has(word) || found.has(word)),
  };
}

/** Which of these words stand in the tracked files, where there are any. */
export async function findTrackedNames(
  root: string,
  commit: string | undefined,
  names: Iterable<string>,
  limits: GitLimits,
): Promise<ReadonlySet<string>> {
  const words = [...new Set(names)].filter(isPlainName).slice(0, maxWords);
  return words.length === 0 ? new Set() : findInTree(root, commit, words, limits);
}

/** A name as programs have them. A sentence is none, whatever a file or a symbol is called. */
export function isPlainName(text: string): boolean {
  return /^[\p{L}\p{N}_@$.][\p{L}\p{N}_@$./:#+~-]{0,79}$/u.test(text);
}

function isPlainPath(text: string): boolean {
  return text.length <= 200 && /^[\p{L}\p{N}_@.+~()[\]$=,#%*-]+(?:\/[\p{L}\p{N}_@.+~()[\]$=,#%*-]+)*\/?$/u.test(text);
}

/** By the tree and not the files: those may have been written since, and git would start a stranger's filters for them. */
async function findInTree(
  root: string,
  commit: string | undefined,
  words: readonly string[],
  limits: GitLimits,
): Promise<ReadonlySet<string>> {
  if (limits.timeoutMs <= 0) return new Set();
  const isKnown = commit !== undefined && /^[\da-f]{40,64}$/i.test(commit);
  const patterns = words.flatMap((word) => ["-e", word]);
  const question = ["grep", "-hoIwF", "--no-color", ...patterns, isKnown ? commit : "HEAD"];
  // A common word stands in every line. What was printed until then counts.
  const { output } = await runGit(root, question, { maxBytes: 16 * 1024 * 1024, ...limits });
  const found = new Set(output.split("\n"));
  return new Set(words.filter((word) => found.has(word)));
}
