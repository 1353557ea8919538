import { blankMarkers, redactionMarker, type SecretFinding, splitAtBlanks } from "./secret-finding.js";
import { findBySecretRules } from "./secret-rules.js";
import { findBySecretlint } from "./secretlint-rules.js";

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
  const broad = await findBySecretlint(text);
  return merge([...exact, ...broad].flatMap((finding) => splitAtBlanks(text, finding)));
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
