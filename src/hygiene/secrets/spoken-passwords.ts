import { findInHintedLines } from "./hinted-lines.js";
import type { SecretFinding } from "./secret-finding.js";
import { findAtPlaces, isAnything, isNoCommonWord, isNoWord, type SecretPlace } from "./secret-places.js";
import { nameHint, passwordName } from "./secret-names.js";
import { isScrambled, isStrong } from "./secret-values.js";

const is = "(?:is|was|ist|lautet|war|es|era|est|était|è|é|jest|är|er)";
const of = "(?:for|of|to|on|at|in|from|für|von|zum|zur|para|de|del|pour|du|di|voor|til|för)";
const words = "[ \\t][^\\n.:;=|\"'`]{1,60}?";
// … is …, … of the staging database is …
const isSaid = `(?:[ \\t]${of}${words})?[ \\t]${is}[ \\t]`;
// … was changed to …, … for bob: …
const leadsTo = `(?:(?:${words})?(?:[ \\t](?:be|to|as|${is})[ \\t]|(?:は|是)[ \\t]{0,2})|[ \\t]${of}${words}:[ \\t]{0,2})`;
const word = "[^\\s\"'`,;<>()|]";

const places: SecretPlace[] = [
  // the password for staging is …, password …
  {
    pattern: new RegExp(`(?:${passwordName})(?:${leadsTo}|[ \\t])["'\`]?(${word}{6,})`, "dgi"),
    isSecret: isNoWord,
  },
  // the password is "…"
  { pattern: new RegExp(`(?:${passwordName})${isSaid}["'\`](${word}{4,128})["'\`]`, "dgi"), isSecret: isNoCommonWord },
  // the api key is …
  {
    pattern: new RegExp(`(?:(?:api|access|secret)[ -]?key|token|secret)${leadsTo}["'\`]?(${word}{12,})`, "dgi"),
    isSecret: isNoWord,
  },
  // our key is …, with the token …
  {
    pattern: new RegExp(`(?:key|token|secret)(?:${leadsTo}|[ \\t])["'\`]?(${word}{20,})`, "dgi"),
    isSecret: (value) => isScrambled(value, 20),
  },
  // … is the password, use … as the password
  {
    pattern: new RegExp(
      `(?:^|[\\s"'\`(])(${word}{6,})["'\`]?[ \\t](?:as|is)[ \\t](?:the|your|my|our|its)[ \\t](?:[\\w-]{1,20}[ \\t]){0,2}(?:${passwordName})`,
      "dgi",
    ),
    isSecret: isNoWord,
  },
  // log in with bob/…
  {
    pattern:
      /(?:(?:log(?:ged)?|sign(?:ed)?)[ -]?in|anmelde\w*)\b[^\n/]{0,40}?[\s"'`(][\w.@-]{2,64}[/:]([^\s"'`,;<>()|/]{6,})/dgi,
    isSecret: isStrong,
  },
  // credentials: bob/…, log in with bob / …
  {
    pattern:
      /(?:credentials?|creds|(?:(?:log(?:ged)?|sign(?:ed)?)[ -]?in|anmelde\w*|wi-?fi|wlan)(?=[^\n/]{0,100}[ ][/:][ ]))\b[^\n/]{0,40}?[\s"'`(][\w.@-]{2,64}[ ]?[/:][ ]?([^\s"'`,;<>()|/]{6,})/dgi,
    isSecret: isNoWord,
  },
  {
    pattern: /\bPIN(?:[ -]code)?(?:[ \t](?:is|ist|lautet|es|est))?[ \t:=]{1,3}(\d{4,8})(?!\w)/dg,
    isSecret: isAnything,
  },
  // the seed phrase: twelve words
  {
    pattern:
      /(?:mnemonic|(?:seed|recovery|backup|secret)[ _-]?(?:phrase|words))\W{1,4}(?:is[ \t]["'`]?)?((?:[a-z]{3,8}[ \t]){11,23}[a-z]{3,8})/dgi,
    isSecret: isAnything,
  },
];

/** One of these, or the name of a secret, is on the first line of every place. */
export const spokenHint =
  /(?:log(?:ged)?|sign(?:ed)?)[ -]?in|anmelde|mnemonic|(?:recovery|backup)[ _-]?(?:phrase|words)|seed[ _-]?(?:phrase|words)|\bpin\b|wi-?fi|wlan/i;

const anyHint = new RegExp(`${nameHint.source}|${spokenHint.source}`, "gi");
// Between "mnemonic" and its words may be four line breaks; in the other places one.
const linesBehind = 4;

/** Finds passwords of which somebody says so: "the password for staging is …", "log in as bob / …". */
export function findSpokenPasswords(text: string): SecretFinding[] {
  return findInHintedLines(text, anyHint, linesBehind, (lines) => findAtPlaces(lines, places, withoutEndOfSentence));
}

function withoutEndOfSentence(value: string): string {
  return value.replace(/[.:!?]+$/, "");
}
