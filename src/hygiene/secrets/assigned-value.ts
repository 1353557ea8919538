import { isPassphrase } from "./passphrases.js";
import type { NameFamily } from "./secret-names.js";
import {
  isCode,
  isCommonWord,
  isNumberedWords,
  isPlaceholder,
  isRandom,
  isScrambled,
  isStrong,
  isUserAndPassword,
  namesASecret,
} from "./secret-values.js";

/** A value and what is known of it from where it stands. */
export interface AssignedValue {
  family: NameFamily;
  /** What follows the name within the same word, as `_PROD` in `PASSWORD_PROD`. */
  suffix: string;
  value: string;
  /** Between quotes, or alone in an XML element. */
  enclosed: boolean;
  /** `NAME=value`, as in an environment file. */
  environment: boolean;
  /** Something other than a sentence or a program must have written it: a query, a flag, `name=value` by itself. */
  clear: boolean;
  /** No program stands there, whose variables are in camel case: an environment, a flag, a query, a connection string. */
  outsideCode: boolean;
}

// Of `tokenType` and `secretName` the value is no secret.
const describes =
  /(?:id|name|type|ur[il]|path|file|dir|field|label|hint|length|size|count|algorithm|env|var|version|endpoint|class|ref|pattern|regex|format|expir\w*|header|prefix|issuer|scopes?|address|policy|rules?|hash(?:es)?)$/i;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

// What a value is shows in its beginning; looking at all of it made a hostile text take seconds.
const judgedLength = 256;

/** Whether a value is a secret, given the name it stands behind. */
export function isSecretValue(assigned: AssignedValue): boolean {
  const { family, suffix, enclosed, environment, clear, outsideCode } = assigned;
  const value = assigned.value.slice(0, judgedLength);
  // A scheme, a brace or a name may stand beside it.
  if (family !== "weak" && enclosed && /[\s{]/.test(value) && words(value).some((word) => isScrambled(word, 20)))
    return true;
  if (isPlaceholder(value) || namesASecret(value) || isCommonWord(value)) return false;
  if (isCode(value) && !isScrambled(value, 20)) return false;
  if (family === "weak") {
    // Maps and caches have keys of this shape, and hardly ever in an environment.
    return (isScrambled(value, 16) && (environment || !uuid.test(value))) || isUserAndPassword(value);
  }
  if (!/^_?\d{0,2}$/.test(suffix)) {
    return !describes.test(suffix) && (isScrambled(value, 20) || (family !== "token" && isStrong(value)));
  }
  if (family === "pass")
    return isRandom(value, 6) || (environment && isBareSecret("password", value, clear, outsideCode));
  if (environment && family !== "password" && /^[\w+/=-]{20,}$/.test(value)) return true;
  if (environment && clear && isShortSecret(family, value)) return true;
  if (family === "token" && !/\d/.test(value)) return isScrambled(value, 20);
  return enclosed
    ? isSecretInQuotes(family, value, environment, clear)
    : isBareSecret(family, value, clear, outsideCode);
}

function words(value: string): string[] {
  return value.split(/[\s{}]+/);
}

function isSecretInQuotes(family: NameFamily, value: string, environment: boolean, clear: boolean): boolean {
  if (/\s/.test(value)) {
    if (family !== "password" && family !== "secret") return false;
    if (family === "password" && isPassphrase(value, 3)) return true;
    const hasRandomWord = value.split(/\s+/).some((word) => isRandom(word.replace(/[?!.,:]+$/, ""), 4));
    return environment ? value.length >= 8 : clear && hasRandomWord;
  }
  if (family === "password") return value.length >= 3 && !/^\.{0,2}\/|^[~^]?\d+(?:\.\d+)+/.test(value);
  if (environment && value.length >= 8 && /^[\w+/=-]+$/.test(value)) return true;
  return isRandom(value, 8) && !isNumberedName(family, value);
}

function isBareSecret(family: NameFamily, value: string, clear: boolean, outsideCode: boolean): boolean {
  if (/^\d+$/.test(value))
    return family === "password" ? value.length >= 4 && clear : family !== "token" && value.length >= 8;
  if (isRandom(value, family === "password" ? 6 : 8)) return family === "password" || !isNumberedName(family, value);
  // A word of three letters, `password=abc`, alone: a sentence or a program would go on.
  if (family === "password" && clear && /^[^\s(){}[\]<>,;.:/]{3,5}$/.test(value) && !/^\d/.test(value)) return true;
  const mayBeWord = family === "password" || family === "secret";
  return mayBeWord && clear && /^[A-Za-z][A-Za-z_-]{4,}$/.test(value) && (outsideCode || !isCamelCase(value));
}

/** In an environment nothing else stands there than the secret, however short: `SECRET=abc`, `API_KEY=abc123`. */
function isShortSecret(family: NameFamily, value: string): boolean {
  if (/^\d+$/.test(value) || /[./:]/.test(value)) return false;
  return family === "secret" ? value.length >= 3 : family === "key" && isRandom(value, 6);
}

/** A variable, `newPassword`; in random letters capitals stand beside each other. */
function isCamelCase(value: string): boolean {
  return /[a-z][A-Z]/.test(value) && !/[A-Z]{2}.*[A-Z]{2}/.test(value);
}

/** A token is often named and numbered in code about parsing; a secret or key of one long word is rather a value. */
function isNumberedName(family: NameFamily, value: string): boolean {
  return isNumberedWords(value) && (family === "token" || value.length < 10 || /[-_.:/]/.test(value));
}
