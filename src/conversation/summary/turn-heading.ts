import { disarmLine } from "../../hygiene/quote-data.js";
import type { Turn } from "../conversation.js";

/**
 * Who said a turn, and when, and with which tools.
 *
 * @example
 * turnHeading(turn) // "2026-11-15T06:13:32.569Z assistant (Read, Bash × 2)"
 */
export function turnHeading({ timestamp, role, toolsUsed }: Turn): string {
  const tools = countTools(toolsUsed);
  return `${timestamp} ${role}${tools === "" ? "" : ` (${tools})`}`;
}

/** Tools by name, which may be anything, each once, with how often where that is more: `Read, Bash × 2`. */
export function countTools(toolsUsed: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const tool of toolsUsed) counts.set(tool, (counts.get(tool) ?? 0) + 1);
  return [...counts]
    .map(([tool, count]) => (count === 1 ? disarmLine(tool) : `${disarmLine(tool)} × ${count}`))
    .join(", ");
}
