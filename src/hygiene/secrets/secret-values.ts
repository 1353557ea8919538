import { isBlanked } from "./secret-finding.js";

const secretNames =
  "pass(?:word|wd|phrase|code)?|pwd|pw|secrets?|tokens?|(?:api|secret|access|private|auth|encryption|signing|master|account)[-_. ]?keys?|credentials?|bearer|jwt";

const template =
  /\$\{|\{\{|#\{|<%|%\(|%s(?!\w)|%[A-Z][A-Z_]{3,40}%|\$\(|process\.env|import\.meta|environ\b|getenv|\bENV\[|^(?:secrets?|env|vars?|config|vault|op|ssm|sm|keyring|file|arn)(?::|\.\w)/i;
const variable = /^\$(?:[A-Z_][A-Z0-9_]*|[a-z_][A-Za-z_]*\d?|\d)$|^%[A-Za-z_]{1,40}%$|^%[a-z]$|^:[a-z_]+$|^@[a-z_]+$/;
const filler = /^[*xX.•●…_\-#?]+$/;
const bracketed = /^(?:<[^>]*>?|\{[^}]*\}?|\[[^\]]*\]?)$/;
const standIn =
  /^(?:your|replace|insert|enter|example|placeholder|redacted|removed|hidden|masked|omitted|change[-_]?(?:me|it|this)|todo|tbd)(?:$|[-_ .:])|[-_ ]here$/i;
const madeOfNames = new RegExp(
  `^(?:(?:my|your|the|some|super|new|old|current|confirm|wrong|db|user|test|${secretNames})\\d{0,2}[-_ ]?)+[:*]?$`,
  "i",
);

/** True for what stands where a secret would: a variable, a template, stars, `<password>`, `your-key-here`. */
export function isPlaceholder(value: string): boolean {
  if (value === "" || isBlanked(value) || filler.test(value)) return true;
  if (variable.test(value) || /^your[A-Z]/.test(value) || bracketed.test(value) || standIn.test(value)) return true;
  return template.test(value);
}

/** True when the value is itself only the name of a secret, as in `type: "password"` or `token = newToken`. */
export function namesASecret(value: string): boolean {
  return value.length <= 64 && madeOfNames.test(value);
}

const plainThing = new RegExp(
  [
    "^[\\d.,:/x–-]+$", // a date, a range, a version
    "^\\d{4}-\\d\\d-\\d\\d[T_][\\d:.]*(?:Z|[+-]\\d\\d:?\\d\\d)?$", // a moment
    "^v?\\d+(?:\\.\\d+)+", // v1.2.3-rc1
    "^\\d+[-_ ]?(?:bytes?|bits?|chars?|characters?|days?|hours?|min(?:ute)?s?|sec(?:ond)?s?|ms|[smhdwky]|px|[kmg]i?b|th|st|nd|rd)$",
    "^(?:sha|md|aes|rsa|ec|hs|rs|es|ps|ed|base|utf|ucs|oauth|x|argon|bcrypt|scrypt|pbkdf|rfc|ipv|http|iso|secp|p|v|web)[-_]?\\d+[\\w-]{0,8}$",
    "^(?:\\.{0,2}|~)/[\\w./@-]*$", // a path
    "^[a-z]+://", // an address: its own rule looks at it
    "^[\\w.+-]+@[\\w.-]+\\.(?:com|org|net|io|dev|de|test|local)$", // somebody's address
    "^[\\w./-]+\\.(?:[cm]?[jt]sx?|json|ya?ml|md|txt|html?|css|py|rb|go|rs|java|php|pem|key|crt|toml|env|log|sh)$",
    "^[A-Za-z]:\\\\", // a Windows path
    "^(?:#|0x)[0-9a-fA-F]{3,8}$", // a colour, a small number
  ].join("|"),
  "i",
);

/** True for what nobody would write as a word: letters with digits or symbols, and no date, version, path or unit. */
export function isRandom(value: string, minimumLength: number): boolean {
  if (value.length < minimumLength || plainThing.test(value)) return false;
  return /[A-Za-z]/.test(value) && /[\d!@#$%^&*+=?~]/.test(value);
}

/** True for what somebody took pains over: eight characters or more of at least three sorts, small, capital, digit, sign. */
export function isStrong(value: string): boolean {
  if (value.length < 8 || /\s/.test(value) || plainThing.test(value)) return false;
  return [/[a-z]/, /[A-Z]/, /\d/, /[!@#$%^&*+=?~]/].filter((sort) => sort.test(value)).length >= 3;
}

/**
 * True for what only a machine writes: digits strewn among the letters, or capitals beside capitals among small letters,
 * which names in camel case do not have.
 */
export function isScrambled(value: string, minimumLength: number): boolean {
  if (value.length < minimumLength || plainThing.test(value)) return false;
  if (!/^[\w+/=.:~%-]+$/.test(value) || !/[A-Za-z]/.test(value)) return false;
  const count = (pattern: RegExp): number => value.match(pattern)?.length ?? 0;
  if (count(/\d+/g) >= 3) return true;
  if (!/[a-z]/.test(value)) return false;
  return /\d/.test(value) ? count(/[A-Z]{2}/g) >= 2 : /^[A-Za-z+/=]{24,}$/.test(value) && count(/[A-Z]{2}/g) >= 3;
}

/** True for `user:password` in base64, as in the header of basic authentication and in the configuration of Docker. */
export function isUserAndPassword(value: string): boolean {
  if (!/^[A-Za-z0-9+/]{8,}={0,2}$/.test(value)) return false;
  return /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(Buffer.from(value, "base64").toString("latin1"));
}

/** True for words with a number at the end of one, `my-token-1` or `keyword.control.es6`, which people name things. */
export function isNumberedWords(value: string): boolean {
  return /^[A-Za-z]+\d{0,2}(?:[-_.:/ ][A-Za-z]*\d{0,2})*$/.test(value);
}

const code = new RegExp(
  [
    "^[\\w$.?!]+[([]", // a call, an index
    "^[A-Za-z_$][\\w$]*(?:\\??\\.[A-Za-z_$][\\w$]*)+[!?]?$", // a member
    "^[!([{<&*|]|^new$|^await$|=>|->|::|/\\*",
    "\\\\[wdsbWDSB]|\\(\\?[:=!<]", // a regular expression
  ].join("|"),
);

/** True for what a program would compute: a call, a member, an index, an arrow, a pattern. */
export function isCode(value: string): boolean {
  return code.test(value);
}

const commonWords = new Set(
  (
    "yes no on off str int char any set sent same here soon ask asked get gets is are was has not all both per " +
    "string number boolean bool integer float double object array any unknown never void null undefined none nil true false " +
    "required optional invalid incorrect missing forbidden unauthorized expired wrong correct valid hidden masked encrypted " +
    "hashed plain plaintext generated random prompt default empty blank value values option options flag argument field " +
    "input text varchar bytes buffer secretstr user username email login env environment stdin keychain keyring vault " +
    "manual auto automatic disabled enabled protected private public internal external static dynamic character characters " +
    "should must cannot change changed reset update updated create created delete deleted forgot forgotten confirm " +
    "current previous instead before after without within return returns function async await const this self " +
    "supported unsupported deprecated available configured unset present absent stored strong weak short secure insecure"
  ).split(" "),
);

/** True for a word that says something about a secret, such as its type or that it is missing. */
export function isCommonWord(value: string): boolean {
  return commonWords.has(value.toLowerCase());
}
