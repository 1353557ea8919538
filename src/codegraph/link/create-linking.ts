import type { LinkSources } from "./linked-file.js";
import { patienceWithFile, type FileLinking } from "./linking-context.js";
import { membersOf } from "./members-of.js";
import { resultsOf, typesOfTarget } from "./types-of-target.js";
import { typesOf } from "./types-of.js";

/** Begins the linking of a file. While votes are counted, nothing goes by votes. */
export function createLinking(sources: LinkSources, isCounting = false): FileLinking {
  const linking: FileLinking = {
    sources,
    inference: {
      typesOf: (spot, expression, depth) => typesOf(linking, spot, expression, depth),
      typesOfTarget: (target, depth) => typesOfTarget(linking, target, depth),
      membersOf: (type, name, depth) => membersOf(linking, type, name, depth),
      resultsOf: (type, depth) => resultsOf(linking, type, depth),
    },
    sourceFiles: new Map(),
    dependencies: new Set(),
    known: new Map(),
    read: new Map(),
    barrels: new Map(),
    imported: { value: new Map(), type: new Map() },
    isTyped: false,
    isVoted: false,
    stepsLeft: patienceWithFile,
    stopAt: 0,
    refusals: 0,
    isCounting,
  };
  return linking;
}
