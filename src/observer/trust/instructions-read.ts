import { oncePerPad } from "../scratchpad/once-per-pad.js";
import type { Scratchpad } from "../scratchpad/session-view.js";

/** Marks of the instructions that the agents of a session have read; where a time is given, those read by then. */
export function instructionsRead(pads: readonly Scratchpad[], until = Infinity): ReadonlySet<string> {
  const marks = new Set<string>();
  for (const pad of pads) {
    for (const { at, instructions } of actionsWithInstructions(pad)) {
      if (at <= until) for (const mark of instructions ?? []) marks.add(mark);
    }
  }
  return marks;
}

// Few actions have any, and it is asked for every commit.
const actionsWithInstructions = oncePerPad(({ actions }) => actions.filter(({ instructions }) => instructions));
