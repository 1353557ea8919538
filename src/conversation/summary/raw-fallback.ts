import type { Turn } from "../conversation.js";
import { turnHeading } from "./turn-heading.js";

/** What the text begins with that stands for a summary where there is none. */
export const rawFallbackMark = "[raw-fallback]";

/**
 * Every message of a conversation as it was said, whole and in order, for a history that a summary could not be made for.
 * The first line says why.
 */
export function rawFallback(turns: readonly Turn[], problem: string): string {
  const messages = turns.length === 1 ? "The message is" : `All ${turns.length} messages are`;
  const why = problem.replace(/\s+/g, " ").trim();
  const first = `${rawFallbackMark} ${messages} kept as said, for there is no summary: ${why === "" ? "no reason given." : why}`;
  return [first, ...turns.map((turn) => `${turnHeading(turn)}:\n${turn.content}`)].join("\n\n");
}
