import type { Command } from "../observer.js";

/**
 * A command as one would type it again, options included, without what was done with its output; empty where the line
 * does more than that. `tsc --noEmit` is not `tsc`.
 */
export function typedLine({ line }: Pick<Command, "line">): string {
  const [typed = ""] = line.trim().split(/\s+(?:\d?>|\|(?!\|))/, 1);
  return /^[\w@%+=:,./ -]{1,80}$/.test(typed) ? typed : "";
}
