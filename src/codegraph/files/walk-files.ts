import { lstat, open, readdir } from "node:fs/promises";
import { constants, type Dirent } from "node:fs";
import { join } from "node:path";
import { matcherOf, maxDoubleStars, patternsFromRoot } from "../../project/ignore/ignore.js";
import { foreignFolders } from "./foreign-folders.js";
import type { FileProblem } from "./list-files.js";

// Far more than people write. What lies deeper is left out and named.
const deepest = 60;
const largestIgnoreFileBytes = 1024 * 1024;

interface Found {
  paths: string[];
  problems: FileProblem[];
}

/**
 * The files below a folder that the .gitignore files in it do not name, where git cannot be asked. Folders with a `.git`
 * of their own are left out, and so are symbolic links.
 */
export async function walkFiles(root: string, signal?: AbortSignal): Promise<Found> {
  const found: Found = { paths: [], problems: [] };
  const waiting: { folder: string; depth: number; patterns: string[] }[] = [{ folder: "", depth: 0, patterns: [] }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    signal?.throwIfAborted();
    const { folder, depth } = next;
    const entries = await listFolder(root, folder, found);
    if (folder !== "" && entries.some(({ name }) => name === ".git")) continue;
    const own = entries.some(({ name }) => name === ".gitignore") ? await readPatterns(root, folder, found) : [];
    const patterns = [...next.patterns, ...own];
    const ignored = matcherOf(patterns);
    for (const entry of entries) {
      const path = `${folder}${entry.name}`;
      const isFolder = entry.isDirectory();
      if (entry.name === ".git" || (isFolder && foreignFolders.has(entry.name))) continue;
      if (ignored.ignores(isFolder ? `${path}/` : path)) continue;
      if (isFolder && depth === deepest) found.problems.push({ path, reason: "lies too deep" });
      else if (isFolder) waiting.push({ folder: `${path}/`, depth: depth + 1, patterns });
      else if (entry.isFile()) found.paths.push(path);
    }
  }
  return found;
}

async function listFolder(root: string, folder: string, found: Found): Promise<Dirent[]> {
  try {
    return await readdir(join(root, folder), { withFileTypes: true });
  } catch (error) {
    const isGone = ["ENOENT", "ENOTDIR"].includes(String((error as NodeJS.ErrnoException).code));
    const path = folder.slice(0, -1);
    if (path.includes("\uFFFD")) found.problems.push({ path, reason: "its name is not UTF-8" });
    else if (!isGone) found.problems.push({ path, reason: "cannot be read" });
    return [];
  }
}

/** The patterns of one folder's .gitignore, each as it would stand in that of the root. */
async function readPatterns(root: string, folder: string, found: Found): Promise<string[]> {
  const path = `${folder}.gitignore`;
  const text = await readIgnoreFile(join(root, path));
  if (text === undefined) {
    found.problems.push({ path, reason: "cannot be read" });
    return [];
  }
  const lines = text.split(/\r?\n/).filter((line) => !/^(?:#|!?[/\s]*$)/.test(line));
  const slow = lines.filter((line) => line.split("**").length - 1 > maxDoubleStars);
  if (slow.length > 0) found.problems.push({ path, reason: `a pattern with more than ${maxDoubleStars} **` });
  return patternsFromRoot(
    lines.filter((line) => !slow.includes(line)),
    folder,
  );
}

async function readIgnoreFile(file: string): Promise<string | undefined> {
  try {
    // Opening a pipe would never return, and git follows no link here either.
    const found = await lstat(file);
    if (!found.isFile() || found.size > largestIgnoreFileBytes) return undefined;
    const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      return (await handle.readFile("utf8")).replace(/^\uFEFF/, "");
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}
