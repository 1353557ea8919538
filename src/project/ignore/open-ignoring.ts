import { readFileSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import type { Ignore } from "ignore";
import { findUserHome } from "../../base/files/files.js";
import type { IgnoreSetting } from "../../config/config.js";
import { globMatches } from "./glob-matches.js";
import { boundedPattern, matcherOf, patternLines, patternsFromRoot } from "./path-patterns.js";

/** What of a work tree is never observed, indexed or injected. */
export interface Ignoring {
  /**
   * What ignores a path from the root, or an absolute one outside of it; undefined where nothing does. A folder counts where
   * all that could lie in it is ignored; with `isFile`, the path is one of a file, as a listing gives it.
   */
  path: (path: string, options?: { isFile?: boolean }) => string | undefined;
  /** Whether one of these lines is a command that is ignored. */
  command: (lines: readonly string[]) => boolean;
  /** Whether any path can be ignored, as far as the root and the folders that were looked at tell. */
  hasRules: () => boolean;
}

export interface IgnoringOptions {
  /** A real path. */
  root: string;
  ignore?: IgnoreSetting | undefined;
}

export const ignoreFile = ".tacitignore";
const bySetting = "the setting ignore";

// More would take a hook's time at every path. What is larger was made by a program. The patterns are those of a folder and of
// all around it: 60 nested files of 1,900 took 13 s (2026-11).
const largestBytes = 64 * 1024;
const maxPatterns = 2000;
// Somebody may write one while a process stays open.
const freshMs = 1000;

// Of a process that stays open, which may meet any number of them.
const maxFolders = 10_000;

interface Rules {
  patterns: readonly string[];
  matcher?: Ignore;
  /** All that lies below is ignored. */
  isAll: boolean;
}

interface KnownRules {
  rules: Rules;
  at: number;
}

const noRules: Rules = { patterns: [], isAll: false };

/**
 * What is ignored in a work tree, by its `.tacitignore` files and by the setting. Where there is neither, a path costs one
 * look for each folder that it lies in.
 *
 * @example
 * const ignoring = openIgnoring({ root, ignore: settings.ignore });
 * ignoring.path("secrets/prod.env"); // ".tacitignore"
 */
export function openIgnoring({ root, ignore }: IgnoringOptions): Ignoring {
  const known = new Map<string, KnownRules>();
  const set = openSet(ignore?.paths ?? []);
  let hasRules = false;

  /** Of a folder (`""`, `"docs/"`), with those of the folders around it. */
  const rulesOf = (folder: string): Rules => {
    const now = performance.now();
    const found = known.get(folder);
    if (found && now - found.at < freshMs) return found.rules;
    const above = folder === "" ? noRules : rulesOf(folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1));
    const rules = above.isAll ? above : withOwn(above, join(root, folder, ignoreFile), folder);
    if (rules !== noRules) hasRules = true;
    if (known.size >= maxFolders) known.clear();
    known.set(folder, { rules, at: now });
    return rules;
  };

  const inTree = (path: string, isListed: boolean): string | undefined => {
    const rules = rulesOf(foldersOf(path, isListed));
    if (rules.isAll) return ignoreFile;
    if (rules.patterns.length === 0 && set.isEmpty) return undefined;
    const isFile = isListed || isFileAt(join(root, path));
    if (rules.patterns.length > 0 && isMatched((rules.matcher ??= matcherOf(rules.patterns)), path, isFile))
      return ignoreFile;
    return set.isInside(root, path, isFile) ? bySetting : undefined;
  };

  const lookUp = (path: string, isFile: boolean): string | undefined => {
    if (path === "" || path === ".") return rulesOf("").isAll ? ignoreFile : undefined;
    if (isOutside(path)) return set.isOutside(path, isFile) ? bySetting : undefined;
    return inTree(path.replace(/\/+$/, ""), isFile);
  };

  return {
    path: (path, { isFile = false } = {}) => {
      const by = lookUp(path, isFile);
      if (by !== undefined) return by;
      // What is listed is no link. Else a name may lead to what another name hides.
      if (isFile || (!hasRules && set.isEmpty)) return undefined;
      const real = realPathOf(root, path);
      return real === undefined || real === path ? undefined : lookUp(real, false);
    },
    hasRules: () => {
      rulesOf("");
      return hasRules || !set.isEmpty;
    },
    command: (lines) => (ignore?.commands ?? []).some((pattern) => lines.some((line) => isCommand(pattern, line))),
  };
}

/** What is not there, or no longer, is taken for a folder: it is hidden then by what hides all that it could hold. */
function isFileAt(path: string): boolean {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found ? !found.isDirectory() : /\.\w{1,8}$/.test(path);
  } catch {
    return false;
  }
}

/** The folders that a path lies in. What may itself be a folder may have rules of its own for all that it holds. */
function foldersOf(path: string, isFile: boolean): string {
  return isFile ? path.slice(0, path.lastIndexOf("/") + 1) : `${path}/`;
}

function withOwn(above: Rules, file: string, folder: string): Rules {
  const own = readPatterns(file);
  if (own === undefined) return above;
  if (own === "unreadable") return { patterns: [], isAll: true };
  if (above.patterns.length + own.length > maxPatterns) return { patterns: [], isAll: true };
  const bounded = own.map(boundedPattern).filter((line) => line !== undefined);
  return { patterns: [...above.patterns, ...patternsFromRoot(bounded, folder)], isAll: false };
}

function readPatterns(file: string): string[] | "unreadable" | undefined {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (!found) return undefined;
    // Opening a pipe would never return.
    if (!found.isFile() || found.size > largestBytes) return "unreadable";
    const lines = patternLines(readFileSync(file, "utf8").replace(/^\uFEFF/, ""));
    return lines.length > maxPatterns ? "unreadable" : lines;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A path goes through a file, or is none that this system opens: there is nothing to read either.
    return code === "ENOTDIR" || code === "ENAMETOOLONG" || code === "EINVAL" ? undefined : "unreadable";
  }
}

// No name that anybody gives: what stands for anything in a folder.
const anything = "\u{1}";

function isMatched(matcher: Ignore, path: string, isFile: boolean): boolean {
  try {
    if (matcher.ignores(path)) return true;
    return !isFile && (matcher.ignores(`${path}/`) || matcher.ignores(`${path}/${anything}`));
  } catch {
    // No path that git could have.
    return false;
  }
}

/** The patterns of the setting: from the root, and from the beginning of the disk for those in a home. */
function openSet(patterns: readonly string[]) {
  const home = findHome(patterns);
  const isOfHome = (pattern: string) => /^!?~[\\/]/.test(pattern);
  const fromRoot = patterns.filter((pattern) => !isOfHome(pattern));
  const fromHome = patterns.filter(isOfHome).map((pattern) => pattern.replace("~", home));
  const open = (lines: readonly string[]) => {
    const bounded = lines.map(boundedPattern).filter((line) => line !== undefined);
    let matcher: Ignore | undefined;
    return (path: string, isFile: boolean) =>
      bounded.length > 0 && isMatched((matcher ??= matcherOf(bounded)), path, isFile);
  };
  const [inRoot, onDisk] = [open(fromRoot), open(fromHome)];
  return {
    isEmpty: patterns.length === 0,
    isInside: (root: string, path: string, isFile: boolean) =>
      inRoot(path, isFile) || onDisk(fromSlash(`${root.replaceAll(sep, "/")}/${path}`), isFile),
    isOutside: (path: string, isFile: boolean) => inRoot(fromSlash(path), isFile) || onDisk(fromSlash(path), isFile),
  };
}

function findHome(patterns: readonly string[]): string {
  return patterns.length === 0 ? "" : `/${fromSlash((findUserHome() ?? "").replaceAll("\\", "/"))}`;
}

/** As a path from the beginning of the disk is compared: `home/ada/keys`. */
function fromSlash(path: string): string {
  return path.replaceAll("\\", "/").replace(/^(?:\.\.\/)+|^\/+/, "");
}

function isOutside(path: string): boolean {
  return path.startsWith("/") || path === ".." || path.startsWith("../") || /^[A-Za-z]:/.test(path);
}

/** Where a path leads; undefined where nothing is there. */
function realPathOf(root: string, path: string): string | undefined {
  try {
    const real = realpathSync.native(isAbsolute(path) ? path : join(root, path));
    const inside = relative(root, real);
    return inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside)
      ? real.split(sep).join("/")
      : inside.split(sep).join("/") || ".";
  } catch {
    return undefined;
  }
}

/** A pattern names a command with all that may follow it; `vault *` also `vault` alone. */
function isCommand(pattern: string, line: string): boolean {
  const glob = pattern.trim().replaceAll(/\s+/g, " ");
  const bare = glob.replace(/ \*$/, "");
  return globMatches(glob, line) || globMatches(bare, line) || globMatches(`${bare} *`, line);
}
