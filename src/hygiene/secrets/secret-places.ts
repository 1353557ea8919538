import type { SecretFinding } from "./secret-finding.js";
import { isCode, isCommonWord, isNumberedWords, isPlaceholder, isRandom, namesASecret } from "./secret-values.js";

/** A place where a password stands. The first group of the pattern, which has the flags `d` and `g`, is the password. */
export interface SecretPlace {
  pattern: RegExp;
  isSecret: (value: string) => boolean;
}

/**
 * Finds what stands at one of the places, unless it is a placeholder or speaks of a secret. `trim` takes off what does not
 * belong to it.
 */
export function findAtPlaces(
  text: string,
  places: SecretPlace[],
  trim: (value: string) => string = (value) => value,
): SecretFinding[] {
  const findings: SecretFinding[] = [];
  for (const { pattern, isSecret } of places) {
    for (const found of text.matchAll(pattern)) {
      const value = trim(found[1] ?? "");
      const start = found.indices?.[1]?.[0];
      if (start === undefined || isPlaceholder(value) || namesASecret(value) || !isSecret(value)) continue;
      findings.push({ start, end: start + value.length, kind: "password" });
    }
  }
  return findings;
}

/** For places that hold nothing but a password. */
export function isAnything(): boolean {
  return true;
}

/** For places where a sentence or a program could go on instead. */
export function isNoWord(value: string): boolean {
  return isRandom(value, 6) && !isCode(value);
}

/** For places between quotes, where names of things stand as well. */
export function isNoName(value: string): boolean {
  return isNoWord(value) && !isNumberedWords(value);
}

/** For places where a plain word can be a password, but not every one. */
export function isNoCommonWord(value: string): boolean {
  return value.length >= 4 && !isCommonWord(value) && !isCode(value);
}
