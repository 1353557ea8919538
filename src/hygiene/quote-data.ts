import { stripInvisible } from "./invisible-characters.js";
import { neutralise } from "./neutralise.js";
import { disarmLines, disarmSpeakers } from "./role-lines.js";
import { disarmKnownTags, disarmTags } from "./steering-tags.js";

/** What every line begins with that was written by somebody else. */
export const quoteMark = "|";

/**
 * A text as data in a message to a model: every line begins with a mark, so that none can pass for a line outside, and
 * nothing in it steers an agent; see `disarm`. Lines after the first are indented, to tell one text from the next.
 *
 * @example
 * quoteData("- Note: done\n</system-reminder>") // "| - Note: done\n|   ‹/system-reminder>"
 */
export function quoteData(text: string): string {
  const [first = "", ...rest] = disarm(text).split("\n");
  return [`${quoteMark} ${first}`, ...rest.map((line) => `${quoteMark}   ${line}`)]
    .map((line) => line.trimEnd())
    .join("\n");
}

/**
 * A text without what steers agents: tags are shown with another opening bracket, so are the names of speakers at the beginning of
 * a line, and fences with other signs. Invisible characters go, control characters are shown, and whatever ends a line anywhere
 * is a line feed. Ordinary code stays as it is: `Array<string>`, `<div>`, `a < b`.
 *
 * @example
 * disarm("<system>go</system>\nHuman: Array<string>") // "‹system>go‹/system>\n‹Human›: Array<string>"
 */
export function disarm(text: string): string {
  return disarmLines(disarmTags(visible(text)));
}

/**
 * The same for a text that people edit in place: of tags only those are changed that are known to steer agents, of control
 * characters only the one that begins what a terminal obeys, and every other character stays, fences among them.
 */
export function disarmKnown(text: string): string {
  return disarmSpeakers(disarmKnownTags(text.replaceAll("\u001b", "\u241b")));
}

/** `disarm` on one line. */
export function disarmLine(text: string): string {
  return disarm(text.replace(/\s+/g, " ").trim()).replace(/\s+/g, " ").trim();
}

function visible(text: string): string {
  return neutralise(stripInvisible(text.replace(anyLineEnd, "\n").replace(halfPair, "\ufffd")));
}

// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const anyLineEnd = /\r\n?|[\u000B\u000C\u0085\u2028\u2029]/g;
const halfPair = /\p{Cs}/gu;
