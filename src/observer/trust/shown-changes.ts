import { allRunsOf } from "../tools/command-runs.js";
import { plainWords } from "../tools/shell-program.js";
import type { UntrustedSource } from "../observer.js";
import type { Action } from "../scratchpad/session-view.js";
import type { Origin } from "./folder-origins.js";

interface Changed {
  /** What this session has written so far. */
  now: ReadonlyMap<string, Origin>;
  /** What earlier sessions wrote among the project's files, which this one has not written anew. */
  before: readonly string[];
  /** Of those the ones that lay there as they were committed. */
  committed: ReadonlySet<string>;
  /** Whether a word is the name of a file or folder that git has. */
  isPath: (word: string) => boolean;
}

/** What git shows of files whose words are from elsewhere, where it shows what has changed in them. */
export function shownChanges(
  { command, wordless }: Pick<Action, "command" | "wordless">,
  { now, before, committed, isPath }: Changed,
): UntrustedSource | undefined {
  if (wordless || !/\bgit\b.*\b(?:diff|stash|add -p|commit -v)\b/.test(command?.line ?? "")) return undefined;
  const isOfCommit = showsOnlyUncommitted(command?.line ?? "", isPath);
  const file =
    [...now].find(([, origin]) => origin === "tainted")?.[0] ??
    before.find((one) => !isOfCommit || !committed.has(one));
  return file === undefined ? undefined : { from: "written", what: file.slice(0, 200) };
}

/** `git diff -- src` compares with what was committed last; `git diff main` and a stash show what was committed or put away. */
function showsOnlyUncommitted(line: string, isPath: (word: string) => boolean): boolean {
  return allRunsOf(line)
    .filter(({ program }) => program === "git")
    .every(({ args }) => {
      const [verb, ...words] = plainWords(args, ["-C", "-c", "--git-dir", "--work-tree"]);
      return verb !== "stash" && (verb !== "diff" || words.every((word) => word === "HEAD" || isPath(word)));
    });
}
