import { lstat, readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { standIn } from "../../hygiene/stand-in.js";
import { withUpperCaseDrive } from "../../base/files/files.js";
import { findDecidingUrl, normaliseRemote } from "./remote-url.js";

/** By what the project of a folder is recognised, strongest key first. */
export interface FolderIdentity {
  /** Root of the work tree, or the folder itself outside git; real path. */
  root: string;
  /** For people: last part of the remote, else the root folder's name. */
  name: string;
  /** `remote:github.com/owner/repo`, when there is one that decides. */
  remoteKey?: string;
  /** `git:/real/path/of/the/common/git/dir`: shared by all worktrees of a repository. */
  gitKey?: string;
  /** `path:/real/path` of the root, always. */
  pathKey: string;
  /** Git itself keeps this folder as a worktree of that repository: it points back here, which no folder can say of itself. */
  isWorktree?: true;
  /** Absent when the head is detached. */
  branch?: string;
  /** Absent before the first commit, and where it cannot be read cheaply. */
  commit?: string;
}

// Git itself refuses a larger `.git` file; real configurations have a few KiB.
const largestFileBytes = 1024 * 1024;

/**
 * Tells by what a folder's project is recognised, from a handful of small files and without a `git` process.
 * Never throws for what it finds on disk: a folder that does not exist, a `.git` that is broken or unreadable and a
 * configuration that does not parse only leave the keys out that cannot be known. `GIT_DIR` and bare repositories
 * are ignored.
 *
 * @example
 * const { name, remoteKey, gitKey, pathKey } = await identifyFolder(process.cwd());
 * console.log(name, remoteKey ?? gitKey ?? pathKey);
 */
export async function identifyFolder(directory: string): Promise<FolderIdentity> {
  const folder = await resolveRealPath(directory);
  const root = (await findWorkTree(folder)) ?? folder;
  const identity: FolderIdentity = { root, name: basename(root) || root, pathKey: `path:${withSlashes(root)}` };
  const repository = await findRepository(root);
  if (repository === undefined) return identity;

  const { commonDirectory, head } = repository;
  const [config, position] = await Promise.all([
    readSmallFile(join(commonDirectory, "config")),
    readPosition(head, commonDirectory),
  ]);
  const url = findDecidingUrl(config ?? "");
  const remote = url === undefined ? undefined : withoutToken(normaliseRemote(url, repository.homeDirectory));
  return {
    ...identity,
    ...(remote !== undefined && { name: remote.slice(remote.lastIndexOf("/") + 1), remoteKey: `remote:${remote}` }),
    gitKey: `git:${withSlashes(commonDirectory)}`,
    ...(repository.isWorktree && { isWorktree: true as const }),
    ...position,
  };
}

/** A key is stored, and one project stays one by a stand-in as well. */
function withoutToken(remote: string | undefined): string | undefined {
  return remote === undefined ? undefined : standIn(remote);
}

async function resolveRealPath(directory: string): Promise<string> {
  let existing = resolve(directory);
  let missing = "";
  for (;;) {
    try {
      return join(await realpath(existing), missing);
    } catch {
      if (dirname(existing) === existing) return withUpperCaseDrive(resolve(directory));
      missing = join(basename(existing), missing);
      existing = dirname(existing);
    }
  }
}

/** The nearest folder with a `.git`, even a broken one: what lies in it is not to fall to a repository around it. */
async function findWorkTree(folder: string): Promise<string | undefined> {
  try {
    await lstat(join(folder, ".git"));
    return folder;
  } catch {
    const parent = dirname(folder);
    return parent === folder ? undefined : findWorkTree(parent);
  }
}

interface Repository {
  /** Where refs and configuration lie, shared by all worktrees. */
  commonDirectory: string;
  /** The git directory whose parent relative remotes count from. */
  homeDirectory: string;
  /** Content of the HEAD of this worktree. */
  head: string;
  isWorktree: boolean;
}

async function findRepository(root: string): Promise<Repository | undefined> {
  const entry = join(root, ".git");
  try {
    const target = (await stat(entry)).isDirectory() ? entry : await readGitFile(entry);
    if (target === undefined) return undefined;
    const gitDirectory = await realpath(target);
    const [head, common, back] = await Promise.all(
      ["HEAD", "commondir", "gitdir"].map((file) => readSmallFile(join(gitDirectory, file))),
    );
    if (head === undefined) return undefined;
    if (common === undefined) {
      return { commonDirectory: gitDirectory, homeDirectory: entry, head, isWorktree: false };
    }
    const commonDirectory = await realpath(resolve(gitDirectory, firstLine(common)));
    const isKept = dirname(gitDirectory) === join(commonDirectory, "worktrees");
    const isWorktree =
      isKept && back !== undefined && (await isSameFile(resolve(gitDirectory, firstLine(back)), entry));
    return { commonDirectory, homeDirectory: commonDirectory, head, isWorktree };
  } catch {
    return undefined;
  }
}

/** The folder is compared and not the entry itself: that one could be a link to the worktree that git means. */
async function isSameFile(noted: string, entry: string): Promise<boolean> {
  return basename(noted) === basename(entry) && (await realpath(dirname(noted))) === dirname(entry);
}

async function readGitFile(file: string): Promise<string | undefined> {
  const text = await readSmallFile(file);
  return text?.startsWith("gitdir: ") ? resolve(dirname(file), firstLine(text.slice(8))) : undefined;
}

async function readPosition(head: string, commonDirectory: string): Promise<{ branch?: string; commit?: string }> {
  const detached = parseCommit(head);
  if (detached !== undefined) return { commit: detached };
  // What git refuses in a branch name is refused here too: the name becomes a path, and is shown to people.
  const [, branch] = /^ref:\s*refs\/heads\/((?![./])(?!.*(?:\.\.|\/[./]))[^\s\p{Cc}~^:?*[\\]+)\s*$/u.exec(head) ?? [];
  if (branch === undefined) return {};

  const ref = `refs/heads/${branch}`;
  const loose = await readSmallFile(join(commonDirectory, ref));
  const packed = loose === undefined ? await readSmallFile(join(commonDirectory, "packed-refs")) : undefined;
  const commit = parseCommit(loose ?? packed?.split("\n").find((line) => line.trimEnd().endsWith(` ${ref}`)) ?? "");
  return { branch: standIn(branch), ...(commit !== undefined && { commit }) };
}

function parseCommit(text: string): string | undefined {
  return /^(?:[0-9a-f]{64}|[0-9a-f]{40})(?=\s|$)/.exec(text)?.[0];
}

/** Undefined for what is missing, unreadable, too large or no regular file: opening a pipe would never return. */
async function readSmallFile(file: string): Promise<string | undefined> {
  try {
    const found = await stat(file);
    return found.isFile() && found.size <= largestFileBytes ? await readFile(file, "utf8") : undefined;
  } catch {
    return undefined;
  }
}

function firstLine(text: string): string {
  return text.split(/[\r\n]/, 1)[0] ?? "";
}

function withSlashes(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}
