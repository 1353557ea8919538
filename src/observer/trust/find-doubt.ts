import type { Scratchpad } from "../scratchpad/session-view.js";
import { findOutside } from "../spool/list-spools.js";
import type { SpoolPlace } from "../spool/spool-place.js";
import { describeOutside } from "./describe-outside.js";
import { repeatsInstruction } from "./instructions.js";

/**
 * Why what a running session asks to remember is not to be trusted yet: it has read from outside, or the text repeats an
 * instruction that stood in what it read. Undefined where nothing speaks against it.
 */
export function findDoubt(
  { spools, pads }: { spools: SpoolPlace | undefined; pads: readonly Scratchpad[] },
  sessionId: string,
  content: string,
): string | undefined {
  const actions = pads.flatMap((pad) => pad.actions);
  const outside = (spools && findOutside(spools, sessionId)) ?? actions.find((action) => action.outside)?.outside;
  if (outside) return describeOutside(outside);
  const marks = new Set(actions.flatMap(({ instructions = [] }) => instructions));
  const repeats = marks.size > 0 && repeatsInstruction(content, marks);
  return repeats ? describeOutside({ from: "instruction", what: "" }) : undefined;
}
