import { stat } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { Clock } from "../../base/base.js";
import { runGit } from "../../base/git/git.js";
import { identifyFolder } from "../../project/folder/identify-folder.js";
import type { Memory } from "../../memory/memory.js";
import type { FileCircumstances } from "./estimate-staleness.js";

/**
 * What is known of the files of a work tree. Nothing here throws: no git, no repository, a commit that was rebased away or
 * lies beyond a shallow clone, a git that hangs, and a path outside the root all mean that a file is not in the answer.
 */
export interface FileChanges {
  /** In how many commits since this one each file changed, 0 included; 1,000 at most. A folder changes with its files. */
  changesSince(commit: string, files: readonly string[]): Promise<Map<string, number>>;
  /** In how many commits of the last 90 days each file changed, 0 included; of the last 1,000 at most. */
  churn(files: readonly string[]): Promise<Map<string, number>>;
  /** When each file was last written, or that it is not there. Folders are left out. */
  modifiedAt(files: readonly string[]): Promise<Map<string, Date | "gone">>;
  /** Ends a git that still runs; from then on git is not asked. */
  close(): void;
}

// Django, 35,000 commits: the last 1,000 take 0.18 s; the changes of two files since 1,000 commits ago 0.05 s, since 10,000
// commits ago 0.33 s (2026-11).
const maxCommits = 1000;
const churnDays = 90;
const largestAnswerBytes = 16 * 1024 * 1024;

/**
 * Opens a look at the files below the root of a work tree. Git is started only when it is asked, one process at a time, and
 * each is ended after `timeoutMs`; after one that had to be ended, none is started until HEAD moves. Answers are kept until
 * then.
 *
 * @example
 * const files = openFileChanges(root, { timeoutMs: 500, now: () => new Date() });
 * await files.changesSince("9fceb02d0ae598e95dc970b74767f19372d61af8", ["src/deploy.ts"]); // Map { "src/deploy.ts" => 4 }
 * files.close();
 */
export function openFileChanges(folder: string, { timeoutMs, now }: { timeoutMs: number; now: Clock }): FileChanges {
  const root = resolve(folder);
  const closing = new AbortController();
  let known: Known = { head: undefined, answers: new Map(), gaveUp: false };
  let turn: Promise<unknown> = Promise.resolve();

  const lookAtHead = async (): Promise<Known> => {
    const { commit: head } = await identifyFolder(root);
    if (head !== known.head) known = { head, answers: new Map(), gaveUp: false };
    return known;
  };
  const ask = (at: Known, args: string[]): Promise<Counts | undefined> => {
    const answer = turn.then(async () => {
      if (at.head === undefined || at.gaveUp || closing.signal.aborted) return undefined;
      const limits = { timeoutMs, signal: closing.signal, maxBytes: largestAnswerBytes };
      const { output, isWhole, isLate } = await runGit(root, ["log", ...namesOnly, ...args], limits);
      at.gaveUp = isLate;
      return isWhole ? countCommits(output) : undefined;
    });
    turn = answer;
    return answer;
  };

  return {
    changesSince: async (commit, files) => {
      if (!/^[0-9a-f]{7,64}$/i.test(commit)) return new Map();
      const paths = pathsInside(root, files);
      const at = await lookAtHead();
      const questionOf = (path: string): string => `${commit} ${path}`;
      const unasked = [...new Set(paths.values())].filter((path) => !at.answers.has(questionOf(path)));
      if (unasked.length > 0) {
        const counts = ask(at, [`${commit}^{commit}..${at.head}`, "--", ...unasked]);
        for (const path of unasked) at.answers.set(questionOf(path), counts);
      }
      return countsOf(paths, (path) => at.answers.get(questionOf(path)));
    },
    churn: async (files) => {
      const at = await lookAtHead();
      const since = new Date(now().getTime() - churnDays * 86_400_000).toISOString();
      // Of all files at once: another question will be about others.
      const counts = at.answers.get("churn") ?? ask(at, [`--since=${since}`, `${at.head}`, "--"]);
      at.answers.set("churn", counts);
      return countsOf(pathsInside(root, files), () => counts);
    },
    modifiedAt: async (files) => {
      const found = new Map<string, Date | "gone">();
      if ((await lastWritten(root)) === "gone") return found;
      for (const [file, path] of pathsInside(root, files)) {
        const time = await lastWritten(resolve(root, path));
        if (time !== undefined) found.set(file, time);
      }
      return found;
    },
    close: () => closing.abort(),
  };
}

/** By path as git has it, and by folder. */
type Counts = Map<string, number>;

/** What git has said at one HEAD. */
interface Known {
  head: string | undefined;
  answers: Map<string, Promise<Counts | undefined>>;
  gaveUp: boolean;
}

/** The files that lie below the root, each with its path as git has it. */
function pathsInside(root: string, files: readonly string[]): Map<string, string> {
  const paths = new Map<string, string>();
  for (const file of files) {
    const path = relative(root, resolve(root, file));
    const isOutside = path === "" || path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path);
    if (!isOutside) paths.set(file, path.split(sep).join("/"));
  }
  return paths;
}

async function countsOf(
  paths: Map<string, string>,
  answerTo: (path: string) => Promise<Counts | undefined> | undefined,
): Promise<Counts> {
  const counts: Counts = new Map();
  for (const [file, path] of paths) {
    const known = await answerTo(path);
    if (known) counts.set(file, known.get(path) ?? 0);
  }
  return counts;
}

const namesOnly = `--no-ext-diff --no-textconv --no-mailmap --no-renames --no-color
  --ignore-submodules=all --max-count=${maxCommits} -z --name-only --format=%x00`.split(/\s+/);

/** In how many of the commits each path is named, and each folder that it lies in. */
function countCommits(output: string): Counts {
  const counts: Counts = new Map();
  for (const commit of output.split("\0\0\n")) {
    const touched = new Set<string>();
    for (const name of commit.split("\0")) {
      for (let path = name; path !== ""; path = path.slice(0, Math.max(0, path.lastIndexOf("/")))) touched.add(path);
    }
    for (const path of touched) counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  return counts;
}

async function lastWritten(file: string): Promise<Date | "gone" | undefined> {
  try {
    const found = await stat(file);
    return found.isFile() ? found.mtime : undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? "gone" : undefined;
  }
}

/** What is known of the files of each of these memories, by id, with one question to git for each commit. */
export async function lookUpFiles(
  files: FileChanges,
  memories: readonly Memory[],
): Promise<Map<string, FileCircumstances>> {
  const filesOf = new Map<string, string[]>();
  for (const { commit, relatedFiles } of memories) {
    if (commit !== undefined) filesOf.set(commit, [...(filesOf.get(commit) ?? []), ...relatedFiles]);
  }
  const [modifiedAt, changes] = await Promise.all([
    files.modifiedAt(memories.flatMap(({ relatedFiles }) => relatedFiles)),
    Promise.all(
      [...filesOf].map(async ([commit, names]) => [commit, await files.changesSince(commit, names)] as const),
    ),
  ]);
  const changesSince = new Map(changes);
  return new Map(
    memories.map(({ id, commit = "" }) => [id, { changes: changesSince.get(commit) ?? new Map(), modifiedAt }]),
  );
}
