import type { ProjectStore } from "../../memory/project-store.js";
import type { Scratchpad } from "../scratchpad/session-view.js";
import { describeOutside } from "./describe-outside.js";
import { repeatsInstruction } from "./instructions.js";
import { openSessionTaint } from "./session-taint.js";

/**
 * Why what a running session asks to remember is not to be trusted yet: it has read from outside, or the text repeats an
 * instruction that stood in what it read. Undefined where nothing speaks against it.
 */
export async function findDoubt(
  from: ProjectStore,
  { root, pads }: { root: string; pads: readonly Scratchpad[] },
  content: string,
): Promise<string | undefined> {
  if (pads.length === 0) return undefined;
  const taint = await openSessionTaint(from, root, pads);
  const outside = pads.map((pad) => taint.since(pad)?.outside).find((found) => found !== undefined);
  if (outside) return describeOutside(outside);
  const marks = new Set(pads.flatMap(({ actions }) => actions.flatMap(({ instructions = [] }) => instructions)));
  const repeats = marks.size > 0 && typeof content === "string" && repeatsInstruction(content, marks);
  return repeats ? describeOutside({ from: "instruction", what: "" }) : undefined;
}
