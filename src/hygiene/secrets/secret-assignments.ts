import { isSecretValue } from "./assigned-value.js";
import { nameAtEnd, namesBeforeValues, type NameBeforeValue } from "./assignment-pattern.js";
import {
  isClear,
  isConstantName,
  isDeclared,
  isEndOfWord,
  isFlagName,
  isOutsideCode,
  isShellVariable,
} from "./assignment-surroundings.js";
import { endOfValue, readBare, readElement, readQuoted, readShellDefault, type ReadValue } from "./read-value.js";
import type { SecretFinding, SecretKind } from "./secret-finding.js";
import { nameFamilies, type NameFamily } from "./secret-names.js";
import { isNoName } from "./secret-places.js";
import { isRandom, isScrambled, isStrong } from "./secret-values.js";

const kinds: Record<NameFamily, SecretKind> = {
  password: "password",
  pass: "password",
  secret: "secret",
  token: "token",
  key: "api-key",
  weak: "secret",
};

type Groups = NameBeforeValue["groups"];

/**
 * Finds the value in `password=…`, `api_key: "…"`, `?token=…`, `--secret …`, `<password>…</password>` and the like, in
 * prose, code, YAML, JSON and environment files. Talk about passwords, types, variables and calls are not values.
 */
export function findAssignments(text: string): SecretFinding[] {
  const findings: SecretFinding[] = [];
  for (const { start: nameStart, end: nameEnd, groups } of namesBeforeValues(text)) {
    const family = familyOf(groups);
    if (family === undefined || (family === "pass" && isEndOfWord(text, nameStart))) continue;
    // A name within a secret is part of it.
    if (nameStart < (findings.at(-1)?.end ?? 0)) continue;

    const read = readValue(text, nameStart, nameEnd, groups);
    if (read === undefined || goesOnOtherwise(text, nameStart, family, groups, read)) continue;

    const { suffix = "", separator, space, gap } = groups;
    const tight = separator === "=" && space === "" && gap === "";
    const name = `${groups[family] ?? ""}${suffix}`;
    const end = read.start + read.value.length;
    const environment = tight && name === name.toUpperCase();
    const clear = isClear(text, nameStart, end, { tight, isFlag: isFlagName(text, nameStart), separator });
    const { value, enclosed } = read;
    // Asked of few: a text may have a name at every fifth place.
    const outsideCode = environment || (/[a-z][A-Z]/.test(value) && isOutsideCode(text, nameStart, { tight, name }));
    if (isSecretValue({ family, suffix, value, enclosed, environment, clear, outsideCode })) {
      findings.push({ start: read.start, end: endOfValue(text, read), kind: kinds[family] });
    }
  }
  return findings;
}

/** The kind of secret that a value must be because of the key it is stored under, if it looks like one at all. */
export function findSecretKindUnderKey(key: string, value: string): SecretKind | undefined {
  const groups: Groups = nameAtEnd.exec(key)?.groups ?? {};
  const family = familyOf(groups);
  if (family === undefined) return undefined;
  const suffix = groups["suffix"] ?? "";
  const isSecret = isSecretValue({
    family,
    suffix,
    value,
    enclosed: true,
    environment: false,
    clear: true,
    outsideCode: false,
  });
  return isSecret ? kinds[family] : undefined;
}

function familyOf(groups: Groups): NameFamily | undefined {
  return nameFamilies.find((family) => groups[family] !== undefined);
}

function readValue(text: string, nameStart: number, from: number, groups: Groups): ReadValue | undefined {
  const { separator = "", argument, element } = groups;
  if (element !== undefined) return readElement(text, from);
  if (/:[-=]/.test(separator) && isShellVariable(text, nameStart)) return readShellDefault(text, from);

  const inQuotes = readQuoted(text, from);
  // In a table a quote is part of the text; in a call, and in place of a variable, only a constant is a secret.
  if (separator === "|") return inQuotes === undefined ? readBare(text, from) : undefined;
  if (argument !== undefined || separator === "||" || separator === "??") return inQuotes;
  return inQuotes ?? readBare(text, from);
}

/** Whether an argument, a dash or a space leads on to something other than the value of the name. */
function goesOnOtherwise(
  text: string,
  nameStart: number,
  family: NameFamily,
  { suffix, separator = "", argument, word }: Groups,
  { value, enclosed }: ReadValue,
): boolean {
  if (argument !== undefined) {
    const isPlainWord = isConstantName(text, nameStart) && /[a-z]/.test(value);
    return family === "weak" || (!isNoName(value) && !isPlainWord);
  }
  if (/^(?:[-–—]|->)$/.test(separator)) {
    return family === "password" ? !isRandom(value, 6) : !isStrong(value) && !isScrambled(value, 16);
  }
  if (word === undefined || isFlagName(text, nameStart) || isDeclared(text, nameStart)) return false;
  return family !== "password" || suffix !== "" || !enclosed || !isNoName(value);
}
