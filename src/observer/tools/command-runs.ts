import { absolutePath, type PathBase } from "./related-path.js";
import { allShellParts, shellParts, type ShellPart } from "./shell-parts.js";
import { isShell, programOf, type Program } from "./shell-program.js";

/** One program of a line, and where it runs. */
export interface Run extends Program {
  part: ShellPart;
  place: PathBase;
  /** What stands before it and runs nothing: `for f in *.md`, `A=1`. */
  before: readonly ShellPart[];
}

/** What a command line runs, wrappers taken off and `cd` followed. */
export function runsOf(line: string, place: PathBase, depth = 0): Run[] {
  return runsIn(line, place, depth, shellParts);
}

/** The same of a long line to its end, where nothing of it may be missed. */
export function wholeRunsOf(line: string, place: PathBase): Run[] {
  return runsIn(line, place, 0, allShellParts);
}

function runsIn(line: string, place: PathBase, depth: number, split: typeof shellParts): Run[] {
  const runs: Run[] = [];
  let here = place;
  let before: ShellPart[] = [];
  for (const part of split(line)) {
    const program = programOf(part.words);
    if (program === undefined) {
      before.push(part);
      if (part.writes.length === 0 && part.reads.length === 0) continue;
      runs.push({ program: "", args: [], isByXargs: false, part, place: here, before });
    } else if (program.script !== undefined && depth < 2) {
      // What the shell is fed, and what is put into its variables, its script may show.
      const isHanded = split === allShellParts && part.inner.length + part.reads.length > 0;
      if (isHanded) runs.push({ program: "", args: [], isByXargs: false, part, place: here, before });
      runs.push(...runsIn(program.script, here, depth + 1, split));
    } else if (program.program === "trap" && program.args.length > 1 && depth < 2) {
      runs.push(...runsIn(program.args[0] as string, here, depth + 1, split));
    } else {
      runs.push({ ...program, part, place: here, before });
      // What a shell is fed is a script, too.
      const fed = isShell(program.program) ? part.heredoc : undefined;
      if (fed !== undefined && depth < 2) runs.push(...runsIn(fed, here, depth + 1, split));
      const folder = program.args[0];
      if (folder !== undefined && /^(?:cd|pushd)$/.test(program.program) && !folder.startsWith("-")) {
        here = { root: place.root, directory: absolutePath(folder, here) };
      }
    }
    before = [];
  }
  // An assignment alone runs what stands in its `$(…)`.
  const last = before.at(-1);
  const isNoted = last && runs.at(-1)?.part === last;
  if (last && !isNoted && split === allShellParts)
    runs.push({ program: "", args: [], isByXargs: false, part: last, place: here, before });
  return runs;
}

const deepest = 4;

/** The same with what its substitutions run, wherever that is. */
export function allRunsOf(line: string): Run[] {
  return withInner(line, runsOf, 0);
}

/** That of a long line to its end. */
export function allWholeRunsOf(line: string): Run[] {
  return withInner(line, wholeRunsOf, 0);
}

function withInner(line: string, read: typeof wholeRunsOf, depth: number): Run[] {
  return read(line, { root: "/", directory: "/" }).flatMap((run) => {
    const parts = depth < deepest ? [run.part, ...run.before] : [];
    return [run, ...parts.flatMap(({ inner }) => inner).flatMap((one) => withInner(one, read, depth + 1))];
  });
}
