import type { Scratchpad } from "../scratchpad/session-view.js";
import { isTyped } from "../untrusted-sources/is-typed.js";
import { shorten } from "./wording.js";

/**
 * What an agent was asked to do when it came to a moment of its session, in one short sentence, and where that was said.
 * Undefined also where somebody else may have worded it: of a message that does not look typed, not even the first line is
 * the user's.
 */
export function findTask(pad: Scratchpad, order: number): { text: string; order: number } | undefined {
  const asked = findRequest(pad, order);
  if (!asked || !isTyped(asked.text)) return undefined;
  const [first = ""] = asked.text
    .trim()
    .slice(0, 1000)
    .split(/(?<=[.!?])\s|\n/, 1);
  const text = shorten(first.replaceAll('"', "'"), 120).replace(/[.:;,\s]+$/, "");
  return { text, order: asked.order };
}

/** The last prompt before a moment that asks for something, whoever worded it. */
export function findRequest(pad: Scratchpad, order: number): { text: string; order: number } | undefined {
  const prompt = pad.prompts.findLast((one) => one.order <= order && isRequest(one.text));
  if (prompt) return prompt;
  const { start } = pad;
  return start?.task !== undefined && isRequest(start.task) ? { text: start.task, order: start.order } : undefined;
}

/** "Go on" and "yes, please" ask for nothing new. */
function isRequest(text: string): boolean {
  return text.trim().split(/\s+/, 3).length === 3;
}
