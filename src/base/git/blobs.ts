import { lstat, readFile } from "node:fs/promises";
import { blobIds } from "./blob-ids.js";
import { runGit, type GitLimits } from "./run-git.js";

/** A file as some tree or commit has it. */
export interface Blob {
  path: string;
  /** Git's name for the content. */
  blob: string;
}

/** Git quotes names that are not ASCII unless it is told not to. */
export const plainPaths = ["-c", "core.quotePath=false"];

/** The files of a commit by their paths, all or these; undefined where git does not answer in time. */
export async function readTree(
  root: string,
  commit: string,
  paths: readonly string[],
  limits: GitLimits,
): Promise<ReadonlyMap<string, string> | undefined> {
  const answer = await runGit(root, [...plainPaths, "ls-tree", "-r", commit, "--", ...paths], limits);
  if (!answer.isWhole) return undefined;
  const files = answer.output.split("\n").flatMap((line) => {
    const [, blob, path] = /^\d+ blob ([\da-f]+)\t(.+)$/.exec(line) ?? [];
    return blob === undefined || path === undefined ? [] : [[path, blob] as const];
  });
  return new Map(files);
}

/** What a line of `git log --raw` says that a commit brought; undefined for other lines. */
export function readRawLine(line: string): Blob | undefined {
  const [, blob, path] = /^:\S+ \S+ [\da-f]+ ([\da-f]+) [AMT]\t(.+)$/.exec(line) ?? [];
  return blob === undefined || path === undefined ? undefined : { blob, path };
}

const longestFile = 4 * 1024 * 1024;

/** Git's names for a file as it lies there, and when it was changed; undefined where it cannot be read. */
export async function readFileBlobs(path: string): Promise<{ blobs: string[]; changedMs: number } | undefined> {
  try {
    const found = await lstat(path);
    return found.isFile() && found.size <= longestFile
      ? { blobs: blobIds(await readFile(path)), changedMs: Math.max(found.mtimeMs, found.ctimeMs) }
      : undefined;
  } catch {
    return undefined;
  }
}
