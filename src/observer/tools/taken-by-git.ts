import type { Call, Result } from "../observer.js";
import { allRunsOf, type Run } from "./command-runs.js";
import { plainWords } from "./shell-program.js";

/** What a command of git takes over from another branch, or shows of one. */
export interface TakenByGit {
  verb: string;
  /** The branch, tag or commit; empty where the command does not say which. */
  target: string;
}

/** What stands for many names, as git itself is asked for them: the branches of all remotes, all tags, all notes, and all. */
export const everyRemote = "--remotes";
export const everyTag = "--tags";
export const everyNote = "--glob=refs/notes/*";
const everyRef = "--all";
const many: ReadonlySet<string> = new Set([everyRemote, everyTag, everyNote, everyRef]);

/**
 * What a command brings from another branch into the work tree, or shows of one. `isNamed` says whether a word names a branch,
 * a tag or a commit. Of a range only the side counts that git shows: `origin/main..HEAD` is one's own work.
 *
 * @example
 * takenByGit(action("git log HEAD..origin/main"), isNamed) // [{ verb: "log", target: "origin/main" }]
 */
export function takenByGit(
  { command, failed, wordless }: Pick<Call, "command"> & Pick<Result, "failed" | "wordless">,
  isNamed: (name: string) => boolean,
): TakenByGit[] {
  if (!command || !/\bgit\b|\bgh\b/.test(command.line)) return [];
  const runs = allRunsOf(command.line);
  // One of several programs may have failed, or be the one that says nothing, after git had shown something.
  const isAlone = runs.length === 1;
  const hasFailed = failed && isAlone && !/--exit-code\b/.test(command.line);
  return runs.flatMap((run) => {
    const isUnseen = wordless && isAlone && run.part.writes.length === 0;
    const looked = hasFailed ? [] : looksOf(run, isNamed).filter(({ verb }) => !isUnseen || takes.has(verb));
    return [...(failed && isAlone ? [] : movesOf(run)), ...looked];
  });
}

function movesOf({ program, args }: Run): TakenByGit[] {
  const [verb = "", first, second] = plainWords(args, globalValues);
  if (program === "gh" && verb === "pr" && first === "checkout") return [{ verb: "checkout", target: "" }];
  if (program !== "git") return [];
  if (verb === "pull") return [{ verb, target: "" }];
  // A merge or a rebase that is gone on with or given up was begun by another command.
  const isGoingOn = args.some((one) => /^--(?:abort|continue|skip|quit)$/.test(one));
  if (verb === "am") return isGoingOn ? [] : [{ verb, target: "" }];
  if (verb === "merge" || verb === "rebase" || verb === "cherry-pick")
    return isGoingOn ? [] : [{ verb, target: first ?? "" }];
  if (verb !== "checkout" && verb !== "switch") return [];
  const creates = args.findIndex((one) => /^-[bBcC]$|^--(?:create|orphan|detach)$/.test(one));
  // `git checkout -b new` brings nothing, `git checkout -b new other` does; `git checkout -- a.ts` is about files.
  const target = creates === -1 ? first : args[creates] === "--detach" ? first : second;
  const isFiles = args.includes("--") || (verb === "checkout" && creates === -1 && second !== undefined);
  return target === undefined || isFiles || target === "-" ? [] : [{ verb, target }];
}

const globalValues = ["-C", "-c", "--git-dir", "--work-tree"];

/** Verbs that show what commits say or hold, or that take files out of them. */
const looks: ReadonlySet<string> = new Set(
  `log show diff whatchanged shortlog range-diff cherry cat-file blame annotate grep rev-list diff-tree difftool
  format-patch archive show-branch for-each-ref branch checkout restore reset worktree read-tree tag verify-tag
  notes`.split(/\s+/),
);
/** Those of them that say nothing and leave it in files. */
const takes: ReadonlySet<string> = new Set("format-patch archive checkout restore reset worktree read-tree".split(" "));
// Without a range of their own they go through everything that is reachable.
const walks: ReadonlySet<string> = new Set("log whatchanged shortlog rev-list show-branch".split(" "));

function looksOf({ program, args }: Run, isNamed: (name: string) => boolean): TakenByGit[] {
  if (program !== "git") return [];
  const at = args.indexOf(plainWords(args, globalValues)[0] ?? "");
  const verb = args[at] ?? "";
  if (at === -1 || !looks.has(verb)) return [];
  const end = args.indexOf("--", at);
  const words = args.slice(at + 1, end === -1 ? undefined : end);
  const shown = shownIn(verb, words).filter((name) => many.has(name) || isNamed(name));
  return [...new Set(shown)].map((target) => ({ verb, target }));
}

/** The names of branches and commits whose content a command shows, and other words that might be some. */
function shownIn(verb: string, words: readonly string[]): string[] {
  const plain = words.filter((word) => !word.startsWith("-"));
  const isAll = words.some((word) => /^--(?:all|remotes(?:=.*)?|tags(?:=.*)?|glob=.*)$/.test(word));
  // A list of branches is one of names, unless it says what stands at each.
  if (verb === "branch") {
    const short = words.filter((word) => /^-\w+$/.test(word)).join("");
    const isNameds = isAll || /[ar]/.test(short);
    return isNameds && (/v/.test(short) || words.includes("--verbose")) ? [everyRemote] : [];
  }
  if (verb === "for-each-ref") {
    const isText = words.some((word) => /contents|subject|body|trailers/.test(word));
    const asked = [everyRemote, everyTag].filter((_, at) =>
      plain.some((word) => word.startsWith(listed[at] as string)),
    );
    return !isText ? [] : plain.length === 0 ? [everyRemote, everyTag] : asked;
  }
  if (verb === "tag") return words.some((word) => /^-[a-z]*n\d*$|^--format|^-v$/.test(word)) ? [everyTag] : [];
  if (verb === "notes") return /^show$/.test(plain[0] ?? "") ? [everyNote] : [];
  const noted = showsNotes(verb, words) ? [everyNote] : [];
  if (isAll && walks.has(verb)) return [...noted, everyRef];
  // The first of two is what the others are compared with, and a search begins with what is searched for.
  const isPattern = verb === "grep" && !words.some((word) => /^-(?:e|f)|^--regexp/.test(word));
  const revisions = verb === "cherry" || isPattern ? plain.slice(1) : plain;
  const from = words.flatMap((word) => /^--(?:source|branches)=(.+)$/.exec(word)?.[1] ?? []);
  const negated = words.indexOf("--not");
  const counted = negated === -1 ? revisions : revisions.filter((word) => words.indexOf(word) < negated);
  const named = [...counted, ...from].flatMap((word) => sidesOf(verb, word)).filter((name) => name !== "");
  return [...noted, ...named];
}

const listed = ["refs/remotes", "refs/tags"];

/** Git shows what was noted of a commit below its message, unless it is told another format. */
function showsNotes(verb: string, words: readonly string[]): boolean {
  if (words.some((word) => /^--(?:show-)?notes\b/.test(word))) return true;
  const isShort = words.some((word) => /^--(?:no-notes|oneline|format|pretty|no-standard-notes)\b/.test(word));
  const isFile = verb === "show" && words.some((word) => /^[^-].*:/.test(word));
  return !isShort && !isFile && (verb === "log" || verb === "show" || verb === "whatchanged");
}

/** What is shown of `a..b`: what `b` has and `a` does not, but by a difference both. Of `a...b` the other way about. */
function sidesOf(verb: string, word: string): string[] {
  if (word.startsWith("^")) return [];
  const [, left = "", dots = "", right = ""] = /^(.*?)(\.{2,3})(.*)$/.exec(word) ?? ["", word];
  if (dots === "") return [nameOf(left)];
  const isBoth = verb === "range-diff" || (verb === "diff" || verb === "difftool" ? dots === ".." : dots === "...");
  return [...(isBoth ? [left] : []), right].map(nameOf);
}

/** `origin/main` of `origin/main:src/a.ts` and of `origin/main^!`. */
function nameOf(word: string): string {
  return word.replace(/:.*$/s, "").replace(/\^[!@-].*$/s, "");
}
