import { anyName, familyName, nameHint } from "./secret-names.js";

/** How a value follows its name. */
const ways = [
  // setPassword("…"), getenv("PASSWORD", "…"), {{ password | default("…") }}
  "(?<argument>[ \\t]?\\|[ \\t]?default\\([ \\t]?|,[ \\t]{0,4}|[({]\\s{0,20})(?=[\"'`])",
  // password = …, password: …, password => …, PASSWORD || …, ${PASSWORD:-…}, | password | …, password – …
  "(?<space>[ \\t]{0,8})" +
    "(?<separator>=>|:-|[:?|+.]{0,3}={1,3}|!={1,2}|\\|\\||\\?\\?|[:：＝|→]|(?<=[ \\t])(?:[-–—]|->)(?=[ \\t]))\\*{0,2}(?!:)",
  // <password>…</password>, <key>password</key><string>…</string>
  "(?<element>(?:</\\w{1,20}>\\s{0,20}<(?:string|value))?>)(?=[^<>]{1,4096}</)",
  // name: PASSWORD, value: …; variable "password" { default = … }
  ",?\\s{1,20}[\"']?value[\"']?[ \\t]{0,4}[:=]",
  "[ \\t]{0,4}\\{[^{}]{0,200}?\\bdefault[ \\t]{0,4}=",
  // --password …, ENV PASSWORD …
  "(?<word>[ \\t])(?=[ \\t]{0,3}[^\\s-])",
].join("|");

// Between a name and its value: `: string = "`, ` string = "`, `: &str = "`.
const type = "(?:\\??:|[ \\t])[ \\t]{0,2}&?[A-Za-z][\\w.<>?]{0,24}(?:\\[\\])?[ \\t]{1,4}(?==[ \\t]{0,4}[\"'`])";
// A block of YAML begins on the next line, and a string may.
const gap = "[ \\t]{0,8}(?:[|>][+-]?[ \\t]{0,8}\\r?\\n[ \\t]{1,20}|\\r?\\n[ \\t]{0,40}(?=[\"'`]))?";
const suffix = `(?<suffix>(?:(?!${anyName})[\\w.-]){0,24})`;
const closing = "\\\\{0,7}[\"'`]?\\]?\\*{0,2}(?:\\[\\d{0,4}\\])?";

// A name begins at most this far before its hint (`subscription-key`), or right behind the first character of it (`_pat`).
const longestStart = 13;
const everyHint = new RegExp(nameHint, "gi");
const nameThenValue = new RegExp(
  `(?<lead>[^]{0,${longestStart + 1}}?)(?:${familyName})${suffix}${closing}(?:${type})?(?:${ways})(?<gap>${gap})`,
  "iy",
);

/** The name of a secret and all that stands before its value. */
export interface NameBeforeValue {
  start: number;
  end: number;
  /**
   * The family of the name, `suffix`, and one that tells the way: `separator` with `space`, `argument`, `element` or
   * `word`; `gap` is what precedes the value.
   */
  groups: Record<string, string | undefined>;
}

/**
 * Every name of a secret that a value may follow, in order. What comes before the name (DB_, client-, my) does not matter
 * and is not matched, which keeps the search linear. It is looked for around the hints only: with the pattern at
 * every place, the assignments of 2.4 MB of source took 47 ms, and so take 34 (2026-11).
 */
export function* namesBeforeValues(text: string): Generator<NameBeforeValue> {
  let position = 0;
  everyHint.lastIndex = 0;
  for (let hint = everyHint.exec(text); hint !== null; hint = everyHint.exec(text)) {
    const from = Math.max(position, hint.index - longestStart);
    nameThenValue.lastIndex = from;
    const found = nameThenValue.exec(text);
    position = found === null ? from + longestStart + 2 : nameThenValue.lastIndex;
    everyHint.lastIndex = found === null ? hint.index + 1 : position - 1;
    const { lead = "", ...groups }: NameBeforeValue["groups"] = found?.groups ?? {};
    if (found !== null) yield { start: from + lead.length, end: position, groups };
  }
}

/** Matches a name at the end of a key, with the groups of its family and `suffix`. */
export const nameAtEnd = new RegExp(`(?:${familyName})${suffix}$`, "i");
