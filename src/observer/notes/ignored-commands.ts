import { opendirSync } from "node:fs";
import { globMatches, type Ignoring } from "../../project/ignore/ignore.js";
import { purposeOf } from "../tools/command-purpose.js";
import { wholeRunsOf, type Run } from "../tools/command-runs.js";
import { absolutePath, relatedPath, type PathBase } from "../tools/related-path.js";
import type { ShellPart } from "../tools/shell-parts.js";

const deepest = 3;
const longestLine = 8000;

/**
 * Everything that a command line runs, as lines: itself, each part, what is behind wrappers, what `$(…)` runs, and what other
 * programs are given to run: `ssh box …`, `find -exec …`, `python3 -c "…"`.
 */
export function linesRun(line: string, place: PathBase): string[] {
  const plain = withVariables(line);
  const lines = new Set([oneLine(line)]);
  for (const { program, args, part, before } of [
    ...allRuns(line, place),
    ...(plain === line ? [] : allRuns(plain, place)),
  ]) {
    lines.add(oneLine([program, ...args].join(" ")));
    lines.add(oneLine(part.words.join(" ")));
    if (lines.size < maxLines)
      for (const one of linesGiven(program, [...args, ...before.flatMap(({ words }) => words)])) lines.add(one);
  }
  return [...lines];
}

const maxLines = 2000;
const maxGiven = 60;

// What these are given they read, print or look for.
const runsNothing =
  /^(?:echo|printf|cat|less|head|tail|ls|cp|mv|rm|mkdir|touch|grep|egrep|rg|ag|which|type|man|cd|test|\[|wc|diff)$/;

/** What a program may have been told to run: its words from each on, and the same of each text among them. */
function linesGiven(program: string, args: readonly string[]): string[] {
  if (runsNothing.test(program) || (program === "git" && !args.some((arg) => /^(?:run|-x|--exec|foreach)$/.test(arg))))
    return [];
  const texts = args.filter((arg) => /[\s=('"]/.test(arg)).map((arg) => arg.slice(0, longestLine));
  const lists = texts.flatMap((text) => [text.replace(/^\w+=/, ""), text.replaceAll(/[^\w./~@:+=-]+/g, " ")]);
  return [args, ...lists.map((text) => text.trim().split(/\s+/))].flatMap(tailsOf);
}

function tailsOf(words: readonly string[]): string[] {
  return words.slice(0, maxGiven).map((word, at) => {
    const rest = words.slice(at + 1, at + maxGiven);
    return oneLine([word.slice(word.lastIndexOf("/") + 1), ...rest].join(" "));
  });
}

/** The line with the variables that it sets itself, and without asking where a program is. */
function withVariables(line: string): string {
  if (!/[$`]/.test(line) || line.length > longestLine) return line;
  const values = new Map<string, string>();
  for (const [, name = "", double, single, bare] of line.matchAll(
    /(?:^|[\s;&|(])([A-Za-z_]\w{0,40})=(?:"([^"$`]{0,300})"|'([^']{0,300})'|([^\s"'$`;&|]{1,300}))/g,
  ))
    values.set(name, double ?? single ?? bare ?? "");
  return line
    .replaceAll(/\$\((?:which|command -v|type -p) ([\w./-]{1,80})\)|`(?:which|command -v) ([\w./-]{1,80})`/g, "$1$2")
    .replaceAll(/\$\{?([A-Za-z_]\w{0,40})\}?/g, (whole, name: string) => values.get(name) ?? whole);
}

function oneLine(text: string): string {
  return text.slice(0, longestLine).replaceAll(/\s+/g, " ").trim();
}

function allRuns(line: string, place: PathBase, depth = 0): Run[] {
  if (depth > deepest) return [];
  return wholeRunsOf(line, place).flatMap((run) => {
    const parts = [run.part, ...run.before];
    const inner = parts.flatMap(({ inner: lines }) => lines).flatMap((one) => allRuns(one, run.place, depth + 1));
    const isShell = /^(?:ba|z|da|k)?sh$/.test(run.program);
    const script = isShell ? run.part.heredoc : undefined;
    return [run, ...inner, ...(script === undefined ? [] : allRuns(script, run.place, depth + 1))];
  });
}

/**
 * Whether a command line names an ignored path, as an argument, a file of its input or output, or within one of its words. A
 * line whose patterns stand for more than a hook has time to look at counts as one that does, where anything is ignored.
 */
export function namesIgnored(line: string, place: PathBase, ignoring: Ignoring, list: ListNames = namesIn): boolean {
  const search: Search = { ignoring, list, left: maxEntries, until: performance.now() + maxMs };
  return allRuns(line, place).some((run) => {
    if (run.place.directory !== undefined && isIgnored(".", run.place, search)) return true;
    const { purpose } = purposeOf(run.program, run.args);
    // `npm run build` does not name the folder `build`, and neither does the verb of another program.
    const isByName = purpose === "test" || purpose === "build" || purpose === "check" || purpose === "install";
    const words = [
      run.program,
      ...run.args,
      ...wordsOf(run.part),
      ...run.before.flatMap(wordsOf),
      ...modulesOf(run.part.words),
    ];
    return [...new Set(words)].some((word) => {
      const at = run.args.indexOf(word);
      const isVerb = at <= 0 || /^run(?:-script)?$/.test(run.args[at - 1] ?? "");
      if (/^\w[\w-]*$/.test(word) && (isByName || isVerb)) return false;
      return piecesOf(word).some((piece) => isIgnored(piece, run.place, search));
    });
  });
}

/** Lists the names in a folder, no more than so many; none where there is no such folder. */
type ListNames = (folder: string, max: number) => readonly string[];

/** What a look at the disk may still cost. One for a whole line: each of a thousand patterns may be cheap. */
interface Search {
  ignoring: Ignoring;
  list: ListNames;
  left: number;
  until: number;
}

// Of names that are listed and compared, 10,000 take some 40 ms (2026-11); a hook is stopped after 10 s.
const maxEntries = 10_000;
// Where the disk is slow.
const maxMs = 500;

function wordsOf({ words, writes, reads, heredoc }: ShellPart): string[] {
  // Files that it reads and writes have a place of their own: whatever they are called, they are files.
  return [...words, ...[...writes, ...reads].map((file) => `./${file}`.replace(/^\.\/(?=[/~])/, "")), heredoc ?? ""];
}

/** The files that `python -m a.b` and `import a.b` mean. */
function modulesOf(words: readonly string[]): string[] {
  const named = words.filter((_, at) => words[at - 1] === "-m");
  const imported = words.flatMap((arg) =>
    Array.from(arg.slice(0, longestLine).matchAll(/\b(?:import|from)\s+([\w.]{1,200})/g), ([, name = ""]) => name),
  );
  return [...named, ...imported].flatMap((name) => {
    const path = name.replaceAll(".", "/");
    return /^\w+(?:\.\w+)+$/.test(name) ? [path, `${path}.py`] : [];
  });
}

// Of letters that may be put together before a value, as in `tar -xzvfPATH`.
const maxLetters = 6;
const shortestPath = 3;

/** A word, and what within it may be a path: `--file=a`, `HEAD:a`, `if=a`, `open('a')`, `-Ia`, `-d@a`. */
function piecesOf(word: string): string[] {
  if (word.length > longestLine) return [];
  const pieces = word.split(/[\s=:,;'"`()<>|&]+/).filter((piece) => piece !== "" && !/^-+[\w-]*$/.test(piece));
  const pathLike = pieces.filter((piece) => piece === word || /[./\\]/.test(piece));
  const enclosed = word.split(/[\s[\]{}%"']+/).filter((piece) => /\/./.test(piece));
  const letters = /^-\w{1,6}/.exec(word)?.[0].length ?? 0;
  const values = Array.from({ length: Math.min(maxLetters, Math.max(0, letters - 1)) }, (_, at) => word.slice(at + 2));
  const behind = values.filter((value) => value.length >= shortestPath);
  return [...new Set([...(/\s/.test(word) ? [] : [word]), ...pathLike, ...enclosed, ...behind])];
}

function isIgnored(piece: string, place: PathBase, search: Search): boolean {
  const path = relatedPath(piece.replace(/^@/, ""), place);
  if (path === undefined) return false;
  if (search.ignoring.path(path) !== undefined) return true;
  return /[*?[{]/.test(piece) && leadsToIgnored(piece, place, search);
}

/** Whether one of the files is ignored that a pattern of a shell names, as far as they are there. */
function leadsToIgnored(glob: string, place: PathBase, search: Search): boolean {
  const absolute = absolutePath(glob, place);
  const [fixed = ""] = absolute.split(/[^/]*[*?[{]/, 1);
  const root = absolutePath(place.root, { root: place.root });
  const mayBeInside = `${root}/`.startsWith(fixed) || fixed.startsWith(`${root}/`);
  // Any folder of the project may have a .tacitignore of its own, which nobody knows before it is looked at.
  if ((!mayBeInside || isSpent(search)) && !search.ignoring.hasRules()) return false;
  const segments = absolute.split("/").filter((segment) => segment !== "");
  return isBelowIgnored("", segments, place, search);
}

function isBelowIgnored(
  folder: string,
  [next, ...others]: readonly string[],
  place: PathBase,
  search: Search,
): boolean {
  // Nobody knows what the rest of it would name.
  if (isSpent(search)) return search.ignoring.hasRules();
  if (next === undefined) {
    const path = relatedPath(folder, place);
    return path !== undefined && search.ignoring.path(path) !== undefined;
  }
  if (!/[*?[{]/.test(next)) return isBelowIgnored(`${folder}/${next}`, others, place, search);
  const matches = globName(next);
  const names = search.list(folder === "" ? "/" : folder, search.left);
  search.left -= names.length + 1;
  if (isSpent(search)) return search.ignoring.hasRules();
  return names.some((name) => matches(name) && isBelowIgnored(`${folder}/${name}`, others, place, search));
}

function isSpent({ left, until }: Search): boolean {
  return left <= 0 || performance.now() > until;
}

/** Wider than a shell's own, which hides more: a set of letters stands for any of them. */
function globName(segment: string): (name: string) => boolean {
  const choices = /^([^{]*)\{([^{}]*)\}(.*)$/.exec(segment);
  const [, before = "", inner = "", after = ""] = choices ?? [];
  const alternatives = choices
    ? inner
        .split(",")
        .slice(0, 50)
        .map((one) => before + one + after)
    : [segment];
  const globs = alternatives.map((one) => one.replaceAll(/\[[^\]]*\]/g, "?"));
  return (name) => globs.some((glob) => globMatches(glob, name));
}

function namesIn(folder: string, max: number): string[] {
  const names: string[] = [];
  try {
    // Not all at once: one folder may hold millions.
    const opened = opendirSync(folder, { bufferSize: 256 });
    try {
      for (let entry = opened.readSync(); entry && names.length < max; entry = opened.readSync())
        names.push(entry.name);
    } finally {
      opened.closeSync();
    }
  } catch {
    // No folder, or not for us: what is behind it cannot be shown either.
  }
  return names;
}
