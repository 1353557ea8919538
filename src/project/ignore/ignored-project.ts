import { realpathSync } from "node:fs";
import { findUserHome } from "../../base/files/files.js";
import type { FolderIdentity } from "../folder/identify-folder.js";
import { globMatches } from "./glob-matches.js";

/** Whether a pattern names a folder; else it names a remote. */
function isFolder(pattern: string): boolean {
  return /^(?:~(?:[\\/]|$)|\/|[A-Za-z]:[\\/])/.test(pattern);
}

/**
 * Whether a project is one of those that are never observed: by its folder, which may lie anywhere below a folder that is
 * named (`~/clients/acme`, `~/clients/*`), by the folder of the repository that it is a work tree of, or by its remote
 * (`github.com/acme/*`).
 */
export function isIgnoredProject(patterns: readonly string[], folder: FolderIdentity): boolean {
  if (patterns.length === 0) return false;
  const folders = [folder.root, folder.gitKey?.replace(/^git:/, "").replace(/\/\.git$/, "")].filter(
    (path) => path !== undefined,
  );
  const remote = folder.remoteKey?.replace(/^remote:/, "").toLowerCase();
  return patterns.some((pattern) => {
    if (isFolder(pattern)) {
      return homesIn(pattern).some((named) => folders.some((path) => isBelow(segmentsOf(named), segmentsOf(path))));
    }
    return remote !== undefined && isRemote(pattern, remote);
  });
}

/** The home may be a symbolic link, and a root is a real path. */
function homesIn(pattern: string): string[] {
  if (!pattern.startsWith("~")) return [pattern];
  const home = findUserHome();
  if (home === undefined) return [];
  return [...new Set([home, realPath(home)])].map((one) => one + pattern.slice(1));
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

const isAnyCase = process.platform === "darwin" || process.platform === "win32";

function segmentsOf(path: string): string[] {
  const plain = path.replaceAll("\\", "/");
  return (isAnyCase ? plain.toLowerCase() : plain).split("/").filter((segment) => segment !== "" && segment !== ".");
}

/** Whether a folder is the one that is named, or below it. `**` stands for any number of folders. */
function isBelow([first, ...others]: readonly string[], folder: readonly string[]): boolean {
  if (first === undefined) return true;
  if (first === "**") {
    // More than one of them would be compared with every pair of places.
    const rest = others.filter((segment) => segment !== "**");
    return folder.some((_, at) => isBelow(rest, folder.slice(at))) || rest.length === 0;
  }
  const [name, ...below] = folder;
  return name !== undefined && globMatches(first, name) && isBelow(others, below);
}

/** `github.com/acme/*`, `https://github.com/acme/shop.git`, `git@github.com:acme/shop`. */
function isRemote(pattern: string, remote: string): boolean {
  const wanted = pattern
    .toLowerCase()
    .replace(/^[a-z+]+:\/\//, "")
    .replace(/^[^@/]+@/, "")
    .replace(/^([^/:]+):(?!\d)/, "$1/")
    .replace(/(?:\.git)?\/*$/, "")
    .replace(/\/\*\*$/, "/*");
  return globMatches(wanted, remote) || remote.startsWith(`${wanted}/`);
}
