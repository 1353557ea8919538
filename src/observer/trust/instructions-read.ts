import { oncePerPad } from "../scratchpad/once-per-pad.js";
import type { Action, Scratchpad } from "../scratchpad/session-view.js";
import { anyInstruction } from "../untrusted-sources/instructions.js";
import type { TrackedFiles } from "./tracked-files.js";

interface InstructionsOptions {
  /** Only those that were read by then. */
  until?: number;
  /** Files that the user trusts. */
  vouchedFor?: TrackedFiles;
}

/** Marks of the instructions that the agents of a session have read. */
export function instructionsRead(
  pads: readonly Scratchpad[],
  { until = Infinity, vouchedFor }: InstructionsOptions = {},
): ReadonlySet<string> {
  const marks = new Set<string>();
  for (const pad of pads) {
    for (const action of actionsWithInstructions(pad)) {
      if (action.at > until) continue;
      // A long source has more imperatives in its comments than can be marked. That would make every imperative of the
      // agent an instruction: a third of the real ones that were held for it were (2026-11).
      const isOwnSource = isReadOf(action, vouchedFor);
      for (const mark of action.instructions ?? []) if (mark !== anyInstruction || !isOwnSource) marks.add(mark);
    }
  }
  return marks;
}

function isReadOf({ does, files = [] }: Action, known: TrackedFiles): boolean {
  return does === "read" && typeof known === "object" && files.length > 0 && files.every((file) => known.has(file));
}

// Few actions have any, and it is asked for every commit.
const actionsWithInstructions = oncePerPad(({ actions }) => actions.filter(({ instructions }) => instructions));
