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
    .replace(bracket, (found: string, at: number, whole: string) => (isSteering(whole, at) ? "‹" : found))
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
  "tacit(?:[-_:][\\w:-]{1,60})?",
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
// These mean nothing else, however they go on and whatever joins their words.
const surely = "tacit[\\s_:.-]{0,3}memory|system[\\s_:.-]?reminder|function[_-]?calls|antml:";
const blanks = "\\s{0,20}";
const slashes = "[\\\\/]{0,3}";
// With blanks within only where the bracket closes at once: `a < user` compares.
const steeringTag = new RegExp(
  `^(?:${blanks}${slashes}${blanks}(?:${surely})|${slashes}(?:${steeringNames})(?:[\\s/>]|$)|${blanks}${slashes}${blanks}(?:${steeringNames})${blanks}/?>)`,
  "i",
);
const bracket = /[<＜﹤≮]/g;
// Longer than any of these tags as far as it is looked at.
const longestTag = 160;

/** Whether a tag begins at this bracket that agents or chat templates use, however its letters and signs are written. */
function isSteering(whole: string, at: number): boolean {
  const rest = whole.slice(at + 1, at + longestTag);
  return steeringTag.test(notAscii.test(rest) ? plainly(rest) : rest) && !isGeneric(whole, at);
}

const notAscii = /[\u0080-\uFFFF]/;

/** With the letters and signs of a keyboard for those that look like them: a model reads a full-width slash as a slash. */
function plainly(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[\p{Pd}\u2212]/gu, "-")
    .replace(/[\u2044\u2215\u29F8\u2571]/g, "/")
    .replace(/[\u203A\u276F\u27E9\u3009]/g, ">")
    .replace(lookAlike, (letter) => latin[alike.indexOf(letter)] ?? letter);
}

const alike = "аеорсухіѕјһԁкмтοαεικρτυχ";
const latin = "aeopcyxisjhdkmtoaeikptux";
const lookAlike = new RegExp(`[${alike}]`, "g");

const turnMark = /[<＜]([|｜])(?=[^\s<>|｜]{1,40}[|｜][>＞])/g;
const instructionMark =
  /\[(?=\/?(?:INST|SYS|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\])|<<(?=\/?SYS>>)/gi;
const speaker = /^([ \t>*#_-]{0,16})(Human|HUMAN|Assistant|ASSISTANT|User|USER|System|SYSTEM)([*_]*\s?[:：])/gm;

/** A type parameter, as in `Promise<User>`; of one called System or Assistant nobody can tell. */
function isGeneric(whole: string, at: number): boolean {
  return /^[\p{L}\p{N}_$]<(?!System|Assistant|Human|Tacit)\p{Lu}\p{Ll}[\p{L}\p{N}]*[>,[\s]/u.test(
    whole.slice(Math.max(0, at - 1), at + 40),
  );
}
