import { disarmLine } from "../../hygiene/quote-data.js";
import type { Role, Turn } from "../conversation.js";

/**
 * Who said a turn, and when, and with which tools.
 *
 * @example
 * turnHeading(turn) // "2026-11-15T06:13:32.569Z assistant (Read, Bash × 2)"
 */
export function turnHeading({ timestamp, toolsUsed, ...turn }: Turn): string {
  const tools = countTools(toolsUsed);
  return `${timestamp} ${speakerOf(turn)}${tools === "" ? "" : ` (${tools})`}`;
}

/** Who said it. Words of a user that are tainted were put there by somebody else: what a person says never is. */
export function speakerOf({ role, isTainted = false }: { role: Role; isTainted?: boolean }): string {
  return role === "user" && isTainted ? "agent as user" : role;
}

/** Tools by name, which may be anything, each once, with how often where that is more: `Read, Bash × 2`. */
export function countTools(toolsUsed: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const tool of toolsUsed) counts.set(tool, (counts.get(tool) ?? 0) + 1);
  return [...counts]
    .map(([tool, count]) => (count === 1 ? disarmLine(tool) : `${disarmLine(tool)} × ${count}`))
    .join(", ");
}
