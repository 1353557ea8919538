import type { SecretFinding } from "./secret-finding.js";
import { isPlaceholder, isRandom, isScrambled, isUserAndPassword, namesASecret } from "./secret-values.js";

const header =
  /authorization\\?["'`]?\]?[ \t]{0,4}[:=,][ \t]{0,4}\\?["'`]?(?:(bearer|basic|token|digest|bot|apikey|negotiate|ssws)[ \t]{1,4})?([^\s"'`\\,;]{6,})/dgi;
const bearer = /\bbearer[ \t]{1,4}([\w.~+/=-]{16,})/dgi;
const basic = /\bbasic[ \t]{1,4}([A-Za-z0-9+/]{8,}={0,2})/dgi;
const cookies = /\bcookie\\?["'`]?\]?[ \t]{0,4}[:=,][ \t]{0,4}\\?["'`]?([^\r\n"'`]{8,})/dgi;
const cookie = /(?:^|;)[ \t]*[\w.%-]{1,64}=([^\s;,]{12,})/dg;

/** One of these is part of every finding. */
export const authorizationHint = /authorization|bearer|basic|cookie/i;

/**
 * Finds what follows `Authorization:`, a bearer token or encoded user and password that stands alone, and the scrambled
 * values of cookies. "Bearer authentication" and "Basic auth" are talk.
 */
export function findAuthorization(text: string): SecretFinding[] {
  const findings: SecretFinding[] = [];
  const add = (start: number | undefined, value: string): void => {
    if (start !== undefined) findings.push({ start, end: start + value.length, kind: "authorization" });
  };

  for (const found of text.matchAll(header)) {
    const [, scheme, value = ""] = found;
    if (isPlaceholder(value) || namesASecret(value) || /[(){}[\]<>$]/.test(value)) continue;
    if (isRandom(value, 8) || (scheme !== undefined && (value.length >= 20 || isUserAndPassword(value)))) {
      add(found.indices?.[2]?.[0], value);
    }
  }
  for (const found of text.matchAll(bearer)) {
    const value = found[1] ?? "";
    if (!isPlaceholder(value) && isRandom(value, 16)) add(found.indices?.[1]?.[0], value);
  }
  for (const found of text.matchAll(basic)) {
    const value = found[1] ?? "";
    if (isUserAndPassword(value)) add(found.indices?.[1]?.[0], value);
  }
  for (const jar of text.matchAll(cookies)) {
    for (const found of (jar[1] ?? "").matchAll(cookie)) {
      const value = found[1] ?? "";
      if (isScrambled(value, 16)) add((jar.indices?.[1]?.[0] ?? 0) + (found.indices?.[1]?.[0] ?? 0), value);
    }
  }
  return findings;
}
