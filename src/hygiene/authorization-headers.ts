import type { SecretFinding } from "./secret-finding.js";
import { isPlaceholder, isRandom, namesASecret } from "./secret-values.js";

const header =
  /authorization\\?["'`]?\]?[ \t]{0,4}[:=,][ \t]{0,4}\\?["'`]?(?:(bearer|basic|token|digest|bot|apikey|negotiate)[ \t]{1,4})?([^\s"'`\\,;]{6,2048})/dgi;
const bearer = /\bbearer[ \t]{1,4}([\w.~+/=-]{16,2048})/dgi;
const basic = /\bbasic[ \t]{1,4}([A-Za-z0-9+/]{8,512}={0,2})/dgi;

/**
 * Finds what follows `Authorization:`, and a bearer token or encoded user and password that stands alone. "Bearer
 * authentication" and "Basic auth" are talk.
 */
export function findAuthorization(text: string): SecretFinding[] {
  if (!/authorization|bearer|basic/i.test(text)) return [];
  const findings: SecretFinding[] = [];
  const add = (found: RegExpExecArray, group: number): void => {
    const range = found.indices?.[group];
    if (range !== undefined) findings.push({ start: range[0], end: range[1], kind: "authorization" });
  };

  for (const found of text.matchAll(header)) {
    const [, scheme, value = ""] = found;
    if (isPlaceholder(value) || namesASecret(value) || /[(){}[\]<>$]/.test(value)) continue;
    if (isRandom(value, 8) || (scheme !== undefined && (value.length >= 20 || isEncodedUserAndPassword(value)))) {
      add(found, 2);
    }
  }
  for (const found of text.matchAll(bearer)) {
    const value = found[1] ?? "";
    if (!isPlaceholder(value) && isRandom(value, 16)) add(found, 1);
  }
  for (const found of text.matchAll(basic)) {
    if (isEncodedUserAndPassword(found[1] ?? "")) add(found, 1);
  }
  return findings;
}

function isEncodedUserAndPassword(value: string): boolean {
  return /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(Buffer.from(value, "base64").toString("latin1"));
}
