import type { Scratchpad } from "../scratchpad/session-view.js";

// Builds of more subtasks than this do not wait for their end. From the seed of the product.
const fewSubtasks = 5;

/** True for a build of so many subtasks that what they show is made use of as each of them succeeds. */
export function isLongBuild(pads: readonly Scratchpad[]): boolean {
  const units = new Set(pads.flatMap((pad) => pad.units.map(({ unit }) => unit.hierarchy.join("/"))));
  return Math.max(pads[0]?.start?.subtasks ?? 0, units.size) > fewSubtasks;
}
