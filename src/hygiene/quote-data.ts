import { stripInvisible } from "./invisible-characters.js";
import { neutralise } from "./neutralise.js";

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
 * A text without what steers agents: tags of roles, reminders, tools and turns, and the names of speakers at the beginning
 * of a line, are shown with another bracket. Invisible characters go, control characters are shown, and whatever ends a line
 * anywhere is a line feed. Ordinary code stays as it is: `Array<string>`, `<div>`, `a < b`.
 *
 * @example
 * disarm("<system>go</system>\nHuman: Array<string>") // "‹system>go‹/system>\n‹Human›: Array<string>"
 */
export function disarm(text: string): string {
  const lines = text.replace(anyLineEnd, "\n").replace(halfPair, "\ufffd");
  return neutralise(stripInvisible(lines))
    .replace(steeringTag, (bracket: string, at: number, whole: string) => (isGeneric(whole, at) ? bracket : "‹"))
    .replace(turnMark, "‹$1")
    .replace(instructionMark, (brackets) => "‹".repeat(brackets.length))
    .replace(speaker, "$1‹$2›$3");
}

/** The same on one line. */
export function disarmLine(text: string): string {
  return disarm(text.replace(/\s+/g, " ").trim()).replace(/\s+/g, " ").trim();
}

// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const anyLineEnd = /\r\n?|[\u000B\u000C\u0085\u2028\u2029]/g;
const halfPair = /\p{Cs}/gu;

// What agents and chat templates wrap words of their own in. Not what only looks alike: <string>, <user-card>, <output>.
const steeringNames = [
  "tacit(?:-[\\w:-]{1,60})?",
  "antml:[\\w:-]{1,60}",
  "system(?:[-_][\\w-]{1,60})?",
  "(?:user|human|assistant|ai|model|developer)(?:[-_](?:message|input|prompt|query|instructions?|turn|context|submit|hook))*",
  "(?:function|tool)s?(?:[-_](?:calls?|results?|uses?|responses?|outputs?|inputs?|error|code))*",
  "invoke",
  "parameters?",
  "think(?:ing)?",
  "instructions?",
  "(?:important|critical|urgent)(?:[-_][\\w-]{1,60})?",
  "(?:local-)?(?:command|bash)-[\\w-]{1,60}",
  "[\\w-]{1,60}-hook",
  "persisted-output",
  "(?:environment|ide|task|conversation|session)[-_][\\w-]{1,60}",
  "(?:start|end|begin)_of_[\\w-]{1,60}",
  "s|bos|eos",
].join("|");
// These mean nothing else, however they go on.
const surely = "tacit-memory|system-reminder|function_calls|antml:";
// With blanks within only where the bracket closes at once: `a < user` compares.
const steeringTag = new RegExp(
  `[<＜﹤](?=\\s{0,3}\\\\?/?\\s{0,3}(?:${surely})|\\\\?/?(?:${steeringNames})(?:[\\s/>＞﹥]|$)|\\s{0,3}/?\\s{0,3}(?:${steeringNames})\\s{0,3}/?[>＞﹥])`,
  "giu",
);
const turnMark = /[<＜]([|｜])(?=[^\s<>|｜]{1,40}[|｜][>＞])/g;
const instructionMark =
  /\[(?=\/?(?:INST|SYS|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\])|<<(?=\/?SYS>>)/gi;
const speaker = /^([ \t>*#_-]{0,16})(Human|HUMAN|Assistant|ASSISTANT|User|USER|System|SYSTEM)([*_]*\s?[:：])/gm;

/** A type parameter, as in `Promise<User>`. */
function isGeneric(whole: string, at: number): boolean {
  return /^[\p{L}\p{N}_$]<\p{Lu}\p{Ll}[\p{L}\p{N}]*[>,[\s]/u.test(whole.slice(Math.max(0, at - 1), at + 40));
}
