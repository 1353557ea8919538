import { absolutePath, type PathBase } from "./related-path.js";
import { shellParts, type ShellPart } from "./shell-parts.js";
import { programOf, type Program } from "./shell-program.js";

/** One program of a line, and where it runs. */
export interface Run extends Program {
  part: ShellPart;
  place: PathBase;
  /** What stands before it and runs nothing: `for f in *.md`, `A=1`. */
  before: readonly ShellPart[];
}

/** What a command line runs, wrappers taken off and `cd` followed. */
export function runsOf(line: string, place: PathBase, depth = 0): Run[] {
  const runs: Run[] = [];
  let here = place;
  let before: ShellPart[] = [];
  for (const part of shellParts(line)) {
    const program = programOf(part.words);
    if (program === undefined) {
      before.push(part);
      if (part.writes.length === 0) continue;
      runs.push({ program: "", args: [], isByXargs: false, part, place: here, before });
    } else if (program.script !== undefined && depth < 2) runs.push(...runsOf(program.script, here, depth + 1));
    else {
      runs.push({ ...program, part, place: here, before });
      const folder = program.args[0];
      if (folder !== undefined && /^(?:cd|pushd)$/.test(program.program) && !folder.startsWith("-")) {
        here = { root: place.root, directory: absolutePath(folder, here) };
      }
    }
    before = [];
  }
  return runs;
}
