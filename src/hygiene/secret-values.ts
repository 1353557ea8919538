import { isBlanked } from "./secret-finding.js";

const secretNames =
  "pass(?:word|wd|phrase|code)?|pwd|pw|secrets?|tokens?|(?:api|secret|access|private|auth|encryption|signing|master|account)[-_. ]?keys?|credentials?|bearer|jwt";

const template =
  /\$\{|\{\{|#\{|<%|%\(|\$\(|process\.env|import\.meta|environ\b|getenv|\bENV\[|^(?:secrets?|env|vars?|config|vault|op|ssm|sm|keyring|file|arn)(?::|\.\w)/i;
const variable = /^\$(?:[A-Z_][A-Z0-9_]*|[a-z_][A-Za-z_]*\d?|\d)$|^%[A-Za-z_]{1,40}%$|^%[a-z]$|^:[a-z_]+$|^@[a-z_]+$/;
const filler = /^[*xX.•●…_\-#?]+$/;
const bracketed = /^(?:<[^>]*>?|\{[^}]*\}?|\[[^\]]*\]?)$/;
const standIn =
  /^(?:your|replace|insert|enter|example|placeholder|redacted|removed|hidden|masked|omitted|change[-_]?(?:me|it|this)|todo|tbd)(?:$|[-_ .:])|[-_ ]here$/i;
const madeOfNames = new RegExp(`^(?:(?:my|your|the|some|super|new|old|db|user|test|${secretNames})[-_ ]?)+$`, "i");

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
    "^v?\\d+(?:\\.\\d+)+", // v1.2.3-rc1
    "^\\d+[-_ ]?(?:bytes?|bits?|chars?|characters?|days?|hours?|min(?:ute)?s?|sec(?:ond)?s?|ms|[smhdwky]|px|[kmg]i?b|th|st|nd|rd)$",
    "^(?:sha|md|aes|rsa|ec|hs|rs|es|ps|ed|base|utf|ucs|oauth|x|argon|bcrypt|scrypt|pbkdf|rfc|ipv|http|iso|secp|p|v|web|oauth)[-_]?\\d+",
    "^(?:\\.{0,2}|~)/[\\w./@-]*$", // a path
    "^[a-z]+://", // an address: its own rule looks at it
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

/** True for words with a number at the end of one, `my-token-1` or `keyword.control.es6`, which people name things. */
export function isNumberedWords(value: string): boolean {
  return /^[A-Za-z]+\d{0,2}(?:[-_.:/ ][A-Za-z]*\d{0,2})*$/.test(value);
}

/** True for what a program would compute: a call, a member, an index, an arrow. */
export function isCode(value: string): boolean {
  return /^[\w$.?!]+\(|\/\*|^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+[!?]?$|^[\w$.]+\[|=>|->|::|^[!([{<&*|]|^new$|^await$/.test(
    value,
  );
}

const commonWords = new Set(
  (
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
