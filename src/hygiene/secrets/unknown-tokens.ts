import { hasLongWord } from "./long-words.js";
import type { SecretFinding } from "./secret-finding.js";
import { isScrambled } from "./secret-values.js";

// acme_live_…, qx-api-…: a name, then characters that no name has. The last part is judged by itself.
const prefixed =
  /(?<![\w.~+/%@-])(?:[a-z]{2,12}|[A-Z]{2,12})\d{0,2}(?:[-_][A-Za-z0-9]{1,12}){0,3}[-_]([A-Za-z0-9]{20,})(?![\w+/=-])/g;
const shortestToken = 23;
// What is named and then hashed: checksums, versions, files of a build.
const namesAHash =
  /^(?:sha|md|crc|blake|integrity|commit|git|rev|hash|etag|build|chunk|index|main|vendor|id|uuid|ref|h1)/i;
// What opencode 1.18 calls sessions, messages and their parts: the time, and what makes it unique. Sessions are kept by it.
const ofOpencode = /^(?:ses|msg|prt)_[\da-f]{12}[\dA-Za-z]{14}$/;
const namesASecret = /(?:key|sk|pat|tkn|token|secret|api|live|test|prod|auth|pw|pass)[-_]$/i;

/** False only for a text in which no such token stands. */
export function mayHoldUnknownToken(text: string): boolean {
  return hasLongWord(text, shortestToken) && /[-_][A-Za-z0-9]{20}/.test(text);
}

/** Finds tokens of services that nobody here has heard of, in the way services shape them: a name, then what is random. */
export function findUnknownTokens(text: string): SecretFinding[] {
  const findings: SecretFinding[] = [];
  for (const found of text.matchAll(prefixed)) {
    const [token, random = ""] = found;
    const prefix = token.slice(0, -random.length);
    if (namesAHash.test(token) || ofOpencode.test(token) || !isToken(prefix, random)) continue;
    findings.push({ start: found.index, end: found.index + token.length, kind: "token" });
  }
  return findings;
}

function isToken(prefix: string, random: string): boolean {
  const mixed = /[a-z]/.test(random) && /[A-Z]/.test(random) && /\d/.test(random);
  return isScrambled(random, 20) && (mixed || (random.length >= 32 && namesASecret.test(prefix)));
}
