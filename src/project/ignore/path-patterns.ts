import { createRequire } from "node:module";
import type { Ignore, Options } from "ignore";

// Of `**` in a pattern: in a path of 60 folders, four take 37 ms, five 334 ms, six 2.9 s (2026-11). One more is ours.
export const maxDoubleStars = 3;
// Of `*` between two slashes, each of which may end anywhere in a name.
const maxStars = 5;

/** The patterns of a file like .gitignore in one folder (`""`, `"docs/"`), each as it would stand in that of the root. */
export function patternsFromRoot(lines: readonly string[], folder: string): string[] {
  return lines.map((line) => fromRoot(line, folder));
}

/** The lines of such a file that are patterns. */
export function patternLines(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => !/^(?:#|!?[/\s]*$)/.test(line));
}

/** A pattern that takes no longer than others to compare. Where it does, one that ignores more; one that shows again goes. */
export function boundedPattern(line: string): string | undefined {
  const isNegative = line.startsWith("!");
  const collapsed = line.replace(/(?:\*\*\/){2,}/g, "**/");
  const pieces = collapsed.split("**");
  const isDeep = pieces.length - 1 > maxDoubleStars;
  const short = isDeep ? `${pieces.slice(0, maxDoubleStars).join("**")}**` : collapsed;
  const segments = short.split("/");
  const isWide = segments.some((segment) => segment !== "**" && segment.split("*").length - 1 > maxStars);
  if ((isDeep || isWide) && isNegative) return undefined;
  return isWide
    ? segments.map((one) => (one !== "**" && one.split("*").length - 1 > maxStars ? "*" : one)).join("/")
    : short;
}

/** Compares paths from the root, with slashes, with patterns as git does. */
export function matcherOf(patterns: readonly string[]): Ignore {
  // As git does where names differ by case.
  const isAnyCase = process.platform === "darwin" || process.platform === "win32";
  return load()({ ignorecase: isAnyCase, allowRelativePaths: true }).add(patterns);
}

let loaded: ((options: Options) => Ignore) | undefined;

/** With the first pattern: most hooks have none, and a note is made without waiting. */
function load(): (options: Options) => Ignore {
  loaded ??= createRequire(import.meta.url)("ignore") as (options: Options) => Ignore;
  return loaded;
}

function fromRoot(line: string, folder: string): string {
  const [, not = "", pattern = ""] = /^(!?)(.*)$/s.exec(line) ?? [];
  if (folder === "") return line;
  const prefix = folder.replaceAll(/[\\*?[\]! #]/g, String.raw`\$&`);
  // A slash that is not the last character ties a pattern to its folder.
  const isTied = /\/(?=.*[^\s])/s.test(pattern);
  return `${not}/${prefix}${isTied ? "" : "**/"}${pattern.replace(/^\//, "")}`;
}
