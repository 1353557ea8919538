import { plainly } from "./steering-tags.js";

// Who speaks in a transcript or a prompt. "AI", "Bot" and "Tool" open lines of ordinary lists, but never with a sentence of
// orders behind them that anybody would miss the colour of.
const roles = "human|assistant|user|system|developer|ai|bot|model|tool|function|agent|operator|administrator|admin";
const more =
  "prompt|message|note|notice|instructions?|update|override|turn|role|response|reminder|alert|input|output|query|results?|calls?|says|said";
// Signs, digits and blanks: whatever begins a line that is no letter, and none of our own brackets.
const marks = "[\\t -@\\[-`{-\\u00a9\\u2000-\\u2038\\u203b-\\u2bff\\u3000-\\u303f]{0,24}";
const behind = "[*_\\])}\"'`]{0,6}[ \\t]{0,3}";

// A colon ends it, as in "Human:", "**System message**:", "Assistant (admin):", "[User 2]:".
const speaker = new RegExp(
  `^(${marks})((?:${roles})(?:[ _-](?:${more}|\\d{1,3})){0,2}(?: ?[(\\[][^)\\]\\n]{0,40}[)\\]])?)(?=${behind}:)`,
  "i",
);
// The headings of prompts that models were trained on, alone on their line or before a colon.
const heading = new RegExp(
  `^([ \\t>*]{0,8}#{1,6}[ \\t]{0,3})((?:${roles}|new|begin|end)?[ _-]?(?:instructions?|response|${roles})(?:[ _-](?:${more}))?)(?=${behind}(?::|$))`,
  "i",
);
// A fence closes the block of whoever quotes us in one; nothing else begins a line with three of these.
const fence = /^([ \t>]{0,12})(`{3,}|~{3,})/gm;

/** Shows who seems to speak at the beginning of a line in brackets of another kind, and fences with other signs. */
export function disarmLines(text: string): string {
  return disarmSpeakers(text.replace(fence, (_, lead: string, signs: string) => lead + otherSigns(signs)));
}

/** The same without fences. */
export function disarmSpeakers(text: string): string {
  return text.split("\n").map(disarmSpeaker).join("\n");
}

function otherSigns(fenceSigns: string): string {
  return (fenceSigns.startsWith("`") ? "'" : "∼").repeat(fenceSigns.length);
}

function disarmSpeaker(line: string): string {
  const start = line.slice(0, looked);
  const { plain, places } = notAscii.test(start) ? folded(start) : { plain: start, places: undefined };
  const found = heading.exec(plain) ?? speaker.exec(plain);
  if (!found) return line;
  const [, lead = "", said = ""] = found;
  const end = lead.length + said.length;
  const [from, to] = places ? [places[lead.length] ?? 0, places[end] ?? start.length] : [lead.length, end];
  const rest = line.slice(to);
  if (isSetting(said, rest)) return line;
  return `${line.slice(0, from)}‹${line.slice(from, to)}›${rest}`;
}

const looked = 120;
const notAscii = /[\u0080-\uFFFF]/;

/** A text in the letters of a keyboard, and where in it each of them stands: a bold letter of mathematics takes two places. */
function folded(text: string): { plain: string; places: number[] } {
  const places: number[] = [];
  let plain = "";
  let at = 0;
  for (const letter of text) {
    const shown = letter === "：" ? ":" : plainly(letter);
    for (let count = 0; count < shown.length; count++) places.push(at);
    plain += shown;
    at += letter.length;
  }
  return { plain, places: [...places, at] };
}

/** A line of configuration, `user: postgres`: in small letters, with one word behind it or none. */
function isSetting(said: string, rest: string): boolean {
  return (
    said === said.toLowerCase() &&
    /^["'`*_]{0,3}[ \t]{0,3}[:：][ \t]*(?:\S+|["'][^"'\n]*["'])?[ \t]*(?:#.*)?,?$/.test(rest)
  );
}
