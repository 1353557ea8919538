import type { SecretFinding, SecretKind } from "./secret-finding.js";
import { isCode, isCommonWord, isNumberedWords, isPlaceholder, isRandom, namesASecret } from "./secret-values.js";

// What comes before the name (DB_, client-, my) does not matter and is not matched, which keeps the search linear.
const name =
  "(?<password>pass(?:word|wd|phrase|code)|pwd)|(?<pass>pass)|(?<secret>secret)|(?<token>token|(?<![A-Za-z0-9])_auth)" +
  "|(?<key>(?:api|secret|access|private|auth|encryption|signing|master|account)[-_. ]?key(?:[-_]base)?)";
const nameThenSeparator = new RegExp(
  `(?:${name})_?\\d{0,2}(?<close>\\\\?["'\`]?\\]?\\*{0,2})` +
    "(?:(?<space>[ \\t]{0,8})(?<separator>=>|:=|={1,3}|:|\\|)\\*{0,2}(?!:)" +
    "|(?<element>>)(?=[^<>\\n]{1,512}</)" +
    "|(?<entry>,?\\s{1,20}[\"']?value[\"']?[ \\t]{0,4}[:=])" +
    "|(?<flag>[ \\t](?=[ \\t]{0,3}[^\\s-])))" +
    "(?<gap>[ \\t]{0,8})",
  "gi",
);
const escapedQuote = /\\(["'])([^"'\\\n]{0,1024})\\\1/dy;
const quoted = /[bfru@]{0,2}(["'`])((?:\\.|(?!\1)[^\\\n]){0,1024})\1/diy;
const elementText = /()([^<>\n]{1,512})(?=<\/)/dy;
// Up to white space or a quote, or to what separates it from the next assignment: `&b=`, `;B=`, `, b:`.
const bare = /()((?:(?![&;,](?:\s|$|["']?[\w.-]{1,64}["']?[=:]))[^\s"'`]){1,1024})/dy;

// `pass` is also what a test does and how words end (bypass), so it stands apart from `password`.
const kinds = { password: "password", pass: "password", secret: "secret", token: "token", key: "api-key" } as const;
type Family = keyof typeof kinds;
const families: Family[] = ["password", "pass", "secret", "token", "key"];

interface Assignment {
  family: Family;
  value: string;
  /** Between quotes, or alone in an XML element. */
  enclosed: boolean;
  /** `NAME=value`, as in an environment file. */
  environment: boolean;
  /** Something other than a sentence or a program must have written it: a query, a flag, `name=value` by itself. */
  clear: boolean;
}

/**
 * Finds the value in `password=…`, `api_key: "…"`, `?token=…`, `--secret …`, `<password>…</password>` and the like, in
 * prose, code, YAML, JSON and environment files. Talk about passwords, types, variables and calls are not values.
 */
export function findAssignments(text: string): SecretFinding[] {
  const findings: SecretFinding[] = [];
  for (const found of text.matchAll(nameThenSeparator)) {
    const groups = found.groups ?? {};
    const family = families.find((known) => groups[known] !== undefined);
    if (family === undefined) continue;
    if (family === "pass" && isEndOfWord(text, found.index)) continue;
    const isFlag = isFlagName(text, found.index);
    if (groups["flag"] !== undefined && !isFlag) continue;

    const from = found.index + found[0].length;
    const read = readValue(text, from, groups["element"] !== undefined);
    if (read === undefined || (groups["separator"] === "|" && read.enclosed)) continue;
    const tight = groups["separator"] === "=" && groups["space"] === "" && groups["gap"] === "";
    const nameItself = groups[family] ?? "";
    const assignment: Assignment = {
      family,
      value: read.value,
      enclosed: read.enclosed,
      environment: tight && nameItself === nameItself.toUpperCase(),
      clear: isClear(text, found.index, read.start + read.value.length, {
        tight,
        isFlag,
        separator: groups["separator"],
      }),
    };
    if (isSecret(assignment)) {
      findings.push({ start: read.start, end: read.start + read.value.length, kind: kinds[family] });
    }
  }
  return findings;
}

const wholeName = new RegExp(`(?:${name})_?\\d{0,2}$`, "i");

/** The kind of secret that a value must be because of the key it is stored under, if it looks like one at all. */
export function findSecretKindUnderKey(key: string, value: string): SecretKind | undefined {
  const groups = wholeName.exec(key)?.groups;
  const family = families.find((known) => groups?.[known] !== undefined);
  if (family === undefined) return undefined;
  return isSecret({ family, value, enclosed: true, environment: false, clear: true }) ? kinds[family] : undefined;
}

function readValue(
  text: string,
  from: number,
  isElement: boolean,
): { start: number; value: string; enclosed: boolean } | undefined {
  for (const pattern of isElement ? [elementText] : [escapedQuote, quoted, bare]) {
    pattern.lastIndex = from;
    const found = pattern.exec(text);
    const start = found?.indices?.[2]?.[0];
    if (found === null || start === undefined) continue;
    const value = found[2] ?? "";
    if (pattern !== bare) return { start, value, enclosed: true };
    return { start, value: value.replace(/[\])}>.,;:\\]{1,8}$/, ""), enclosed: false };
  }
  return undefined;
}

function isSecret({ family, value, enclosed, environment, clear }: Assignment): boolean {
  if (isPlaceholder(value) || namesASecret(value) || isCommonWord(value) || isCode(value)) return false;
  if (family === "pass") return isRandom(value, 6) || (environment && isBareSecret("password", value, clear));
  if (family === "token" && !/\d/.test(value)) return environment && enclosed && value.length >= 20;
  return enclosed ? isSecretInQuotes(family, value, environment, clear) : isBareSecret(family, value, clear);
}

function isSecretInQuotes(family: Family, value: string, environment: boolean, clear: boolean): boolean {
  if (/\s/.test(value)) {
    if (family !== "password" && family !== "secret") return false;
    const hasRandomWord = value.split(/\s+/).some((word) => isRandom(word.replace(/[?!.,:]+$/, ""), 4));
    return environment ? value.length >= 8 : clear && hasRandomWord;
  }
  if (family === "password") return value.length >= 4 && !/^\.{0,2}\//.test(value);
  if (environment && value.length >= 8 && /^[\w+/=-]+$/.test(value)) return true;
  return isRandom(value, 8) && !isNumberedName(family, value);
}

function isBareSecret(family: Family, value: string, clear: boolean): boolean {
  if (/^\d+$/.test(value))
    return family === "password" ? value.length >= 4 && clear : family !== "token" && value.length >= 8;
  if (isRandom(value, family === "password" ? 6 : 8)) return family === "password" || !isNumberedName(family, value);
  const mayBeWord = family === "password" || family === "secret";
  return mayBeWord && clear && /^[A-Za-z][A-Za-z_-]{4,}$/.test(value) && !/[a-z][A-Z]/.test(value);
}

/** A token is often named and numbered in code about parsing; a secret or key of one long word is rather a value. */
function isNumberedName(family: Family, value: string): boolean {
  return isNumberedWords(value) && (family === "token" || value.length < 10 || /[-_.:/]/.test(value));
}

/** `compass` and `bypass`, but not `dbPass`. */
function isEndOfWord(text: string, nameStart: number): boolean {
  return /[A-Za-z]/.test(text.charAt(nameStart - 1)) && !/[a-z]P/.test(text.slice(nameStart - 1, nameStart + 1));
}

function isFlagName(text: string, nameStart: number): boolean {
  return /(?:^|[\s"'`([])--?[A-Za-z-]{0,30}$/.test(text.slice(Math.max(0, nameStart - 34), nameStart));
}

function isClear(
  text: string,
  nameStart: number,
  valueEnd: number,
  { tight, isFlag, separator }: { tight: boolean; isFlag: boolean; separator: string | undefined },
): boolean {
  const after = text.slice(valueEnd, valueEnd + 4);
  if (isFlag) return /^["'`]?(?:$|[\r\n]| -|\s?[|&;\\])/.test(after) || (tight && /^\s/.test(after));
  // A name inside an argument list (`connect(password=pw)`) takes a variable; elsewhere a value ends with a space.
  if (tight)
    return (
      /^(?:$|[\s&;"'`]|[.,](?:\s|$))/.test(after) &&
      !/[(,{]\s?\w{0,20}$/.test(text.slice(Math.max(0, nameStart - 22), nameStart))
    );
  // Alone on its line, as in YAML.
  const lineStart = text.slice(Math.max(0, nameStart - 40), nameStart);
  return (
    separator === ":" &&
    /^[ \t]*(?:$|[\r\n]|#)/.test(after) &&
    /(?:^|\n)[ \t]*(?:- )?["']?[\w.-]{0,30}$/.test(lineStart)
  );
}
