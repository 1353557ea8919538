import { shortId } from "../base/ids/ids.js";
import { neutralise } from "../hygiene/neutralise.js";
import { memoryType } from "../memory/type-registry/type-registry.js";
import type { Memory } from "../memory/memory.js";

// About 150 model tokens: a role reads dozens of them before it begins. How many it gets is for whoever injects them.
const maxLetters = 600;

const leads: Readonly<Record<string, string>> = {
  coder: "What planning brought to light:",
  qa_reviewer: "What was met while coding, and should be looked at:",
  qa_fixer: "What the review found, and what has to hold:",
};

/**
 * What one role recorded, for the next: a line each with its type and citation, in the order given. Empty where there is
 * nothing. Every further line of a content is indented, so that none can pass for one of ours.
 */
export function formatRelay(memories: readonly Memory[], toStage: string): string {
  if (memories.length === 0) return "";
  const lead = Object.hasOwn(leads, toStage) ? leads[toStage] : "What the stage before has recorded:";
  return [lead, ...memories.map(renderMemory)].join("\n");
}

function renderMemory({ type, content, citationText, id }: Memory): string {
  const text = neutralise(content.replace(/\r\n?/g, "\n").trim());
  const letters = Array.from(text.slice(0, 2 * maxLetters + 1));
  const cut = letters.length > maxLetters ? `${letters.slice(0, maxLetters - 1).join("")}…` : text;
  const citation = neutralise(citationText.replace(/\s+/g, " ").trim());
  return `- ${memoryType(type).label}: ${cut.replaceAll("\n", "\n  ")} [Memory #${shortId(id)}: ${citation}]`;
}
