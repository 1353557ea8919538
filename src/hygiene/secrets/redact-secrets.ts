import { blankMarkers, redactionMarker, type SecretFinding, splitAtBlanks } from "./secret-finding.js";
import { findBySecretRules } from "./secret-rules.js";
import { isRandom } from "./secret-values.js";
import { findBySecretlint, mayFindBySecretlint } from "./secretlint-rules.js";

// So many different secrets are looked for again; more than any text of ours holds.
const repeatedAtMost = 100;

/**
 * Replaces each secret's own characters by `[redacted:KIND]` and keeps the text around it. What is already redacted
 * stays as it is, so doing it twice changes nothing more.
 *
 * @example
 * await redactSecrets("postgres://bob:hunter2@db/app") // "postgres://bob:[redacted:password]@db/app"
 */
export async function redactSecrets(text: string): Promise<string> {
  let redacted = text;
  // A marker can bare what stood behind a secret, so look again; each round leaves less to find, and two are usual.
  for (let round = 0; round < 8; round += 1) {
    const findings = await findSecrets(blankMarkers(redacted));
    if (findings.length === 0) break;
    redacted = replaceFindings(redacted, findings);
  }
  return redacted;
}

async function findSecrets(text: string): Promise<SecretFinding[]> {
  const exact = findBySecretRules(text);
  const broad = mayFindBySecretlint(text) ? await findBySecretlint(text) : [];
  const found = [...exact, ...broad].flatMap((finding) => splitAtBlanks(text, finding));
  return merge([...found, ...findRepeats(text, found)]);
}

/** A secret that is known by its name in one place often stands without it in another. */
function findRepeats(text: string, findings: SecretFinding[]): SecretFinding[] {
  const kinds = new Map(findings.map(({ start, end, kind }) => [text.slice(start, end), kind]));
  const telling = [...kinds].filter(([value]) => isRandom(value, 6)).slice(0, repeatedAtMost);
  return telling.flatMap(([value, kind]) => {
    const repeats: SecretFinding[] = [];
    for (let start = text.indexOf(value); start !== -1; start = text.indexOf(value, start + value.length)) {
      const end = start + value.length;
      if (!isWordCharacter(text[start - 1]) && !isWordCharacter(text[end])) repeats.push({ start, end, kind });
    }
    return repeats;
  });
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /\w/.test(character);
}

/** Joins findings that overlap; the one that starts first, and of those the longest, names the kind. */
function merge(findings: SecretFinding[]): SecretFinding[] {
  const merged: SecretFinding[] = [];
  for (const finding of findings.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last === undefined || finding.start >= last.end) merged.push({ ...finding });
    else last.end = Math.max(last.end, finding.end);
  }
  return merged;
}

function replaceFindings(text: string, findings: SecretFinding[]): string {
  let replaced = "";
  let copiedTo = 0;
  for (const { start, end, kind } of findings) {
    replaced += text.slice(copiedTo, start) + redactionMarker(kind);
    copiedTo = end;
  }
  return replaced + text.slice(copiedTo);
}
