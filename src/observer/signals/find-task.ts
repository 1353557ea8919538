import type { Scratchpad } from "../scratchpad/session-view.js";
import { shorten } from "./wording.js";

/** What an agent was asked to do when it came to a moment of its session, in one short sentence, and where that was said. */
export function findTask(pad: Scratchpad, order: number): { text: string; order: number } | undefined {
  const prompt = pad.prompts.findLast((one) => one.order <= order && isRequest(one.text));
  const asked =
    prompt ?? (pad.start?.task === undefined ? undefined : { text: pad.start.task, order: pad.start.order });
  if (!asked || !isRequest(asked.text)) return undefined;
  const [first = ""] = asked.text
    .trim()
    .slice(0, 1000)
    .split(/(?<=[.!?])\s|\n/, 1);
  const text = shorten(first.replaceAll('"', "'"), 120).replace(/[.:;,\s]+$/, "");
  return { text, order: asked.order };
}

/** "Go on" and "yes, please" ask for nothing new. */
function isRequest(text: string): boolean {
  return text.trim().split(/\s+/, 3).length === 3;
}
