import type { Action } from "../scratchpad/session-view.js";

/**
 * How many characters calls took of an agent's attention: what they answered, and of what they were given the command or the
 * search. What was written into files is not kept and does not count, so it was rather more.
 */
export function costOf(actions: Iterable<Action>): number {
  let cost = 0;
  for (const { bytes = 0, command, search } of actions) {
    cost += Math.max(0, bytes) + (command?.line.length ?? search?.pattern.length ?? 0);
  }
  return Math.round(cost);
}
