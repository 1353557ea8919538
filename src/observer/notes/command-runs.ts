import { posix } from "node:path";
import type { Place } from "./related-path.js";
import { shellParts, type ShellPart } from "./shell-parts.js";
import { programOf, type Program } from "./shell-program.js";

/** One program of a line, and where it runs. */
export interface Run extends Program {
  part: ShellPart;
  place: Place;
}

/** What a command line runs, wrappers taken off and `cd` followed. */
export function runsOf(line: string, place: Place, depth = 0): Run[] {
  const runs: Run[] = [];
  let here = place;
  for (const part of shellParts(line)) {
    const program = programOf(part.words);
    if (program === undefined) {
      if (part.writes.length > 0) runs.push({ program: "", args: [], isByXargs: false, part, place: here });
    } else if (program.script !== undefined && depth < 2) runs.push(...runsOf(program.script, here, depth + 1));
    else {
      runs.push({ ...program, part, place: here });
      const folder = program.args[0];
      if (folder !== undefined && /^(?:cd|pushd)$/.test(program.program) && !folder.startsWith("-")) {
        here = { root: place.root, directory: posix.resolve("/", here.directory ?? here.root, folder) };
      }
    }
  }
  return runs;
}
