import { sentencesOf } from "../../observer/notes/notes.js";
import { isTyped } from "../../observer/trust/trust.js";
import type { Turn } from "../conversation.js";
import { statedIn, type Stated } from "./statement-forms.js";
import { withoutWrappers } from "./without-wrappers.js";

/** Something that the user said to be so, ready to be remembered. */
export interface Statement extends Stated {
  /** Of the turn that says it. */
  sequence: number;
  /** Most likely somebody else's words, which the user pasted: it is for a person to decide. */
  isPasted?: true;
}

// Far more than people state in a session: what is left out here is not looked at again.
const maxStatements = 500;
const longest = 300;

/**
 * What the user has stated in so many words, oldest first, without repeats: rules, preferences, decisions, facts. Questions,
 * guesses, quotations, code, logs and what holds only once give nothing, and neither does a turn that is tainted. What stands in
 * a message that does not look typed, or repeats what a tool showed, is marked. Of more than 500 the newest stay; of several
 * names of the user the last one counts, and what was typed before what was pasted.
 */
export function findStatements(turns: readonly Turn[]): Statement[] {
  const found = new Map<string, Statement>();
  for (const { role, content: given, isTainted, isPasted, sequence, timestamp } of turns) {
    if (role !== "user" || isTainted || !cue.test(given)) continue;
    const content = withoutWrappers(given);
    const doubt = isPasted === true || !isTyped(content) ? ({ isPasted: true } as const) : {};
    for (const sentence of ownSentences(content)) {
      const stated = sentence.length > longest ? undefined : statedIn(sentence);
      if (!stated) continue;
      const statement = { ...stated, content: dated(stated.content, timestamp), sequence, ...doubt };
      if (statement.content.length > longest) continue;
      const key = stated.metadata ? `${stated.metadata.category}.${stated.metadata.field}` : wordsOf(statement.content);
      const before = found.get(key);
      if (before && !before.isPasted && statement.isPasted) continue;
      // Said again it is newer, and of two values the newer holds.
      found.delete(key);
      found.set(key, statement);
    }
  }
  return [...found.values()].slice(-maxStatements);
}

// Part of everything that is looked for; most turns have none of it.
const cue =
  /remember|forget|keep in mind|bear in mind|note|from now on|going forward|from here on|future|always|never|ever\b|prefer|\bname|call me|\bwe\b|\bour\b|decid|agreed|chose|settled|must|ha(?:s|ve) to|convention|rule|requirement|\bmy\b|I live|I work|based in/i;

// Longer ones are pasted, and what is pasted is somebody else's; the beginning is the user's own.
const longestOwn = 4000;
const ownBeginning = 600;

/** What the user says in words of their own: not what stands in quotation marks, tags, code or behind "the docs say:". */
function ownSentences(content: string): string[] {
  const near = content.length > longestOwn ? content.slice(0, ownBeginning) : content;
  const own: string[] = [];
  let isQuoted = false;
  for (const sentence of sentencesOf(near.replace(tagged, "\n").replace(indented, ""))) {
    if (!isQuoted && !halfQuoted.test(sentence)) own.push(sentence);
    if ((sentence.match(/["“”„]/g)?.length ?? 0) % 2 === 1) isQuoted = !isQuoted;
    if (introduces.test(sentence)) break;
  }
  return own;
}

const tagged = /<([a-z][\w-]{1,40})(?: [^<>]{0,200})?>[^]*?<\/\1>/gi;
const indented = /^(?: {4,}|\t)(?![-*+]).*$/gm;
/** It closes a quotation that began before, or opens one that goes on. */
const halfQuoted = /^[^"“„]*["”]\s*\.?$|:\s*["“„]|\b(?:says?|said|wrote|asked|told me|claims?)\b[:,]? ["“„']/;
/** What follows was written by somebody else. */
const introduces =
  /\b(?:says?|said|wrote|writes|docs?|documentation|readme|guidelines?|output|logs?|error|e-?mail|ticket|issue|comment|message|slack|article|page|quote[sd]?|pasted?|reads|text|translate|summari[sz]e|review|proofread|rewrite|transcript|prompt|example|template|snippet)\b[^:]{0,40}:$/i;

/** "Tomorrow" says nothing without the day on which it was said. */
function dated(content: string, timestamp: string): string {
  if (!relativeDay.test(content)) return content;
  return `${content.replace(/\.$/, "")} (said on ${timestamp.slice(0, 10)}).`;
}

const relativeDay =
  /\b(?:today|tomorrow|yesterday|tonight|(?:this|next|last) (?:morning|night|week|weekend|month|year|\w+day))\b/i;

function wordsOf(content: string): string {
  return content
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
