import { withoutSpeaker } from "../base/speaker.js";

/** What of a memory is embedded. */
export interface EmbeddedText {
  content: string;
  type: string;
  relatedFiles: string[];
  relatedModules: string[];
}

// Types that say nothing about a text: any text may be one of them.
const plainTypes = new Set(["note", "conversation", "fact", "context", "archive"]);

/**
 * The text that is embedded for a memory: what it is about before what it says, because a question may name either. Not who
 * says it: that is a matter of words, and takes room that the meaning needs (R@10 on LoCoMo 79.7 instead of 77.5).
 *
 * @example contextualText(memory) // "Files: src/auth.ts | Module: login | Type: gotcha\n\nTokens expire after …"
 */
export function contextualText({ content, type, relatedFiles, relatedModules }: EmbeddedText): string {
  const context = [
    ...(relatedFiles.length > 0 ? [`Files: ${relatedFiles.join(", ")}`] : []),
    ...(relatedModules.length > 0 ? [`Module: ${relatedModules.join(", ")}`] : []),
    ...(plainTypes.has(type) ? [] : [`Type: ${type}`]),
  ];
  const text = type === "conversation" ? withoutSpeaker(content) : content;
  return context.length > 0 ? `${context.join(" | ")}\n\n${text}` : text;
}
