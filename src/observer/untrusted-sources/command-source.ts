import type { UntrustedSource } from "../observer.js";
import { absolutePath, relatedPath, type PathBase } from "../tools/related-path.js";
import { allShellParts, longestWhole, maxWholeParts, type ShellPart } from "../tools/shell-parts.js";
import { programOf, type Program } from "../tools/shell-program.js";
import { isOutsidePath } from "./outside-path.js";
import { programSource, type ProgramPlace, type ProgramSource } from "./program-source.js";
import { settingsIn, settingSource } from "./setting-source.js";

/** Where the words come from that a command line shows. */
export interface CommandSource {
  outside?: UntrustedSource;
  /** Scripts that it runs. Whether they are the project's is known only at the end of the session. */
  runs: string[];
  /** Manifests that say what it runs; with a bar between them one is enough. */
  ruledBy: string[];
  /** Programs that it builds from the project's code, and repositories that it makes. */
  builds: string[];
  /** Lines that its settings and options start, and where: a pager, what `git rebase -x` is told. */
  lines: { line: string; place: PathBase }[];
}

const maxRuns = 20;
const maxDepth = 10;
const deepest = 6;

/**
 * Where the words come from that a command line shows: outside, unless each program of it is known to show only what the
 * project tracks, names and numbers, or the agent's own words. Wrappers, pipes, substitutions and scripts in arguments are
 * judged by what they run.
 *
 * @example
 * commandSource("cd app && npm test | tail", { root: "/project" }) // { ruledBy: ["app/package.json|package.json"], … }
 * commandSource("echo $(pbpaste)", { root: "/project" })           // { outside: { from: "command", what: "pbpaste" }, … }
 */
export function commandSource(line: string, place: PathBase): CommandSource {
  const found: Found = { runs: new Set(), ruledBy: new Set(), builds: new Set(), variables: new Set(), lines: [] };
  if (line.length > longestWhole) found.outside = { from: "command", what: "a long script" };
  else judgeLine(line, place, found, 0);
  const { outside, runs, ruledBy, builds, lines } = found;
  return {
    ...(outside && { outside: { ...outside, what: outside.what.slice(0, 200) } }),
    runs: [...runs].slice(0, maxRuns),
    ruledBy: [...ruledBy].slice(0, maxRuns),
    builds: [...builds].slice(0, maxRuns),
    lines: lines.slice(0, maxRuns),
  };
}

interface Found {
  outside?: UntrustedSource;
  runs: Set<string>;
  ruledBy: Set<string>;
  builds: Set<string>;
  /** Those that the line itself has set. */
  variables: Set<string>;
  lines: CommandSource["lines"];
}

function judgeLine(line: string, place: PathBase, found: Found, depth: number): void {
  if (depth > deepest) return note(found, { from: "command", what: "a nested script" });
  const parts = allShellParts(line);
  if (parts.length >= maxWholeParts) return note(found, { from: "command", what: "a long script" });
  let here: PathBase | undefined = place;
  for (const part of parts) {
    if (found.outside) return;
    for (const inner of part.inner) if (!isArithmetic(inner)) judgeLine(inner, here ?? place, found, depth + 1);
    setVariables(part.words, found.variables);
    const at = placeOf(here, found);
    for (const setting of settingsIn(part.words)) take(settingSource(setting, at), here, found, depth);
    const program = programOf(part.words);
    if (!program) continue;
    for (const file of startFiles(program)) take({ runs: [file] }, here, found, depth);
    if (program.script !== undefined) judgeLine(program.script, here ?? place, found, depth + 1);
    else if (/^(?:cd|pushd)$/.test(program.program)) here = movedTo(program.args[0], here, part);
    else judgeProgram(program, part, here, found, depth);
  }
}

function judgeProgram(
  program: Program,
  part: ShellPart,
  here: PathBase | undefined,
  found: Found,
  depth: number,
): void {
  take(programSource(program, part, placeOf(here, found)), here, found, depth);
}

function placeOf(here: PathBase | undefined, found: Found): ProgramPlace {
  return {
    isProject: isInside(".", here),
    isInside: (path) => isInside(path, here),
    isKnownVariable: (name) => found.variables.has(name),
  };
}

/** Notes what a part of the line shows, and judges what it runs in turn. */
function take(source: ProgramSource, here: PathBase | undefined, found: Found, depth: number): void {
  if (source.outside) return note(found, source.outside);
  for (const inner of source.lines ?? []) {
    if (!here) continue;
    // More than are handed on to be looked at for the files that they show.
    if (found.lines.length >= maxRuns) return note(found, { from: "command", what: "a long script" });
    found.lines.push({ line: inner, place: here });
    judgeLine(inner, here, found, depth + 1);
  }
  for (const path of source.runs ?? []) {
    const run = here && relatedPath(path, here);
    if (run === undefined || /[$`…]/.test(run)) return note(found, { from: "command", what: path });
    if (![...found.builds].some((built) => run === built || run.startsWith(`${built}/`))) found.runs.add(run);
  }
  if (source.manifests && here) found.ruledBy.add(aboveOf(source.manifests, here).join("|"));
  const built = source.builds === undefined || !here ? undefined : relatedPath(source.builds, here);
  if (built !== undefined) found.builds.add(built);
}

/** The names in a folder of the project and in those above it: a package's manifest may lie there. */
function aboveOf(names: readonly string[], here: PathBase): string[] {
  const folder = isInside(".", here) ? relatedPath(".", here) : undefined;
  const depth = folder === undefined || folder === "." ? 0 : folder.split("/").length;
  const ups = Array.from({ length: Math.min(depth, maxDepth) + 1 }, (_, up) => "../".repeat(up));
  return ups.flatMap((up) => names.flatMap((name) => relatedPath(up + name, here) ?? []));
}

function isInside(path: string, here: PathBase | undefined): boolean {
  const related = here && !/[$`…]/.test(path) ? relatedPath(path, here) : undefined;
  return here !== undefined && related !== undefined && !isOutsidePath(related, here.root);
}

function note(found: Found, outside: UntrustedSource): void {
  found.outside ??= outside;
}

/** Where a `cd` leads; undefined where nobody here knows. */
function movedTo(folder: string | undefined, here: PathBase | undefined, part: ShellPart): PathBase | undefined {
  if (folder === undefined || folder === "-" || !here) return folder === "-" ? here : undefined;
  if (folder === "$(…)" && part.inner.every((line) => /^\s*git rev-parse --show-toplevel\s*$/.test(line))) {
    return { root: here.root };
  }
  return /[$`…]/.test(folder) ? undefined : { root: here.root, directory: absolutePath(folder, here) };
}

function setVariables(words: readonly string[], variables: Set<string>): void {
  if ((words[0] === "for" || words[0] === "select") && words[1] !== undefined) variables.add(words[1]);
  const reads = words.indexOf("read");
  if (reads !== -1) for (const name of words.slice(reads + 1)) variables.add(name);
  for (const word of words) {
    const name = /^([A-Za-z_]\w*)\+?=/.exec(word)?.[1];
    if (name !== undefined) variables.add(name);
  }
}

/** What a shell runs before its script: `bash --rcfile x -i -c …`. */
function startFiles({ script, args }: Program): string[] {
  if (script === undefined) return [];
  return args.flatMap((word, at) => (/^--(?:rcfile|init-file)$/.test(word) ? (args[at + 1] ?? []) : []));
}

/** `$((a + 1))`. */
function isArithmetic(inner: string): boolean {
  return inner.startsWith("(") && inner.endsWith(")");
}
