// What agents and chat templates wrap words of their own in. Of these an opening bracket is enough.
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

// Any name at all, in a tag that is whole: which ones a model heeds nobody can list. What has a blank before its name and none
// of an attribute behind it compares two numbers, as in `a < b and c > d`.
const letters = "\\u00aa-\\u2038\\u203b-\\uffff";
const name = `[A-Za-z_${letters}][\\w:.${letters}-]{0,120}`;
const others = "(?:(?!&&|\\|\\|?\\s)[^<>\\n]){0,400}";
const anyTag = new RegExp(
  `^(?:${slashes}|${blanks}[\\\\/]{1,3}${blanks})(?<name>${name})(?:\\s${others})?/?>|` +
    `^${blanks}(?<apart>${name})(?:\\s(?=[^<>\\n]{0,80}[\\w-]\\s?=(?!=))${others}|${blanks})/?>`,
);
// What closes only behind a bracket in quotes, or later than anybody looks: no comparison has an attribute or is that long.
const longTag = new RegExp(
  `^${slashes}(?:(?<name>${name})\\s(?:[^<>\\n=]{0,80}[\\w-]=["'][^"'\\n]{0,400}[<>]|[^<>\\n]{300})|[\\w:.${letters}-]{100})`,
);
// What pages are laid out with, which says nothing to a model but that this is a page.
const layout = new Set(
  (
    "a abbr article aside audio b blockquote br button canvas caption code col colgroup dd div dl dt em figure figcaption footer " +
    "form h1 h2 h3 h4 h5 h6 header hr i iframe img input kbd label li link main nav ol optgroup option p path picture pre script " +
    "section select small source span strong style sub sup svg table tbody td template textarea tfoot th thead tr u ul video"
  ).split(" "),
);

const bracket = /[<＜﹤≮]/g;
// Longer than any of these tags as far as it is looked at.
const longestTag = 480;
const longestSteering = 160;

/** Shows every tag that agents, chat templates or nobody yet uses with another opening bracket; code and pages stay. */
export function disarmTags(text: string): string {
  return text
    .replace(doubled, (brackets) => "‹".repeat(brackets.length))
    .replace(bracket, (found: string, at: number) => (isTag(text, at) ? "‹" : found))
    .replace(turnMark, "‹$1")
    .replace(squared, "‹");
}

/** The same only for names that are known to steer agents, in a text that people edit: `<branch>` stays. */
export function disarmKnownTags(text: string): string {
  return text
    .replace(doubled, (brackets) => "‹".repeat(brackets.length))
    .replace(bracket, (found: string, at: number) => (isSteering(text, at) ? "‹" : found))
    .replace(turnMark, "‹$1")
    .replace(squared, "‹");
}

const roles = "system|assistant|user|human|developer|instructions?";
const turnMark = /[<＜]([|｜¦❘])(?=\s?[^\s<>|｜¦❘]{1,40}\s?[|｜¦❘][>＞])/g;
// <<SYS>>, {{#system}}
const doubled = new RegExp(`<<(?=/?[A-Z_]{2,30}>>)|\\{\\{(?=[~]?[#/][~]?(?:${roles}))`, "gi");
// [INST], [/INST] and whatever else is closed like that; [system], [SYSTEM_PROMPT], but no link [user](…).
const squared = new RegExp(
  `\\[(?=/?(?:INST|SYS|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|(?:${roles})(?:[ _-](?:prompt|message|note))?)\\](?!\\())|\\[(?=/[A-Za-z][\\w -]{0,30}\\])`,
  "gi",
);

/** Whether a tag begins at this bracket that agents or chat templates use, however its letters and signs are written. */
function isSteering(whole: string, at: number): boolean {
  const rest = whole.slice(at + 1, at + longestSteering);
  return steeringTag.test(notAscii.test(rest) ? plainly(rest) : rest) && !isGeneric(whole, at);
}

function isTag(whole: string, at: number): boolean {
  if (isSteering(whole, at)) return true;
  const rest = whole.slice(at + 1, at + longestTag);
  const plain = notAscii.test(rest) ? plainly(rest) : rest;
  const found = anyTag.exec(plain) ?? longTag.exec(plain);
  if (!found) return false;
  const called = (found.groups?.["name"] ?? found.groups?.["apart"] ?? "").toLowerCase();
  return !layout.has(called) && !isGeneric(whole, at) && !isIncluded(whole, at);
}

const notAscii = /[\u0080-\uFFFF]/;

/** With the letters and signs of a keyboard for those that look like them: a model reads a full-width slash as a slash. */
export function plainly(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[\p{Pd}\u2212]/gu, "-")
    .replace(/[\u2044\u2215\u29F8\u2571]/g, "/")
    .replace(/[\u203A\u276F\u27E9\u3009]/g, ">")
    .replace(lookAlike, (letter) => latin[alike.indexOf(letter)] ?? letter);
}

const alike = "аеорсухіѕјһԁкмтοαεικρτυχНАЕОРСТМКВХ";
const latin = "aeopcyxisjhdkmtoaeikptuxHAEOPCTMKBX";
const lookAlike = new RegExp(`[${alike}]`, "g");

const plainTypes =
  "string|number|boolean|any|unknown|void|never|null|undefined|object|symbol|bigint|bool|char|byte|str|int\\d{0,2}|uint\\d{0,2}|[uif]\\d{1,3}|[ui]size|float\\d{0,2}|double|long|short|const|typename|class|struct|std|dyn|impl|typeof|keyof|readonly";
const generic = new RegExp(
  `^[\\p{L}\\p{N}_$]<(?:(?!(?:System|Assistant|Human|Tacit)(?![\\p{L}\\p{N}]))\\p{Lu}[\\p{L}\\p{N}]*|(?:${plainTypes})(?![\\w-]))(?:[>,[&|.?:\\s]|$)`,
  "u",
);

/** A type parameter, as in `Promise<User>`; of one called System or Assistant nobody can tell. */
function isGeneric(whole: string, at: number): boolean {
  return generic.test(whole.slice(Math.max(0, at - 1), at + 40));
}

/** `#include <vector>` */
function isIncluded(whole: string, at: number): boolean {
  return /#\s{0,3}(?:include|import)\s{0,3}$/.test(whole.slice(Math.max(0, at - 20), at));
}
