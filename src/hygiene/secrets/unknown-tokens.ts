import { hasLongWord } from "./long-words.js";
import type { SecretFinding } from "./secret-finding.js";
import { isScrambled } from "./secret-values.js";

// acme_live_…, qx-api-…: a name, then characters that no name has. Where the name ends is tried at each sign.
const prefixed =
  /(?<![\w.~+%@-])[A-Za-z][A-Za-z0-9]{0,13}[-_][A-Za-z0-9_-]{20,400}={0,2}(?![\w+=-]|\/[\w+]{0,80}[+=])/g;
const namePart = /^(?:[a-z]{1,12}|[A-Z]{1,12}|[A-Z][a-z]{1,11})\d{0,2}$|^[a-z0-9]{1,8}$/;
const shortestToken = 23;
const maxParts = 4;
// What is named and then hashed: checksums, versions, files of a build.
const namesAHash =
  /^(?:sha|md|crc|blake|integrity|commit|git|rev|revision|hash|etag|build|chunk|index|main|vendor|id|uuid|ref|h)\d*(?=[-_])/i;
// What opencode 1.18 calls sessions, messages and their parts: the time, and what makes it unique. Sessions are kept by it.
const ofOpencode = /^(?:ses|msg|prt)_[\da-f]{12}[\dA-Za-z]{14}$/;
const namesASecret = /(?:key|sk|pat|tkn|tok|token|secret|api|live|test|prod|auth|pw|pass)[-_]$/i;
// Of a UUID, where a program is called too: test-… and api-… are machines.
const surelyNamesASecret = /(?:^|[-_])(?:\w*key|sk|pat|tkn|tok|token|secret|auth|pw|pass)[-_](?:\w{1,4}[-_])?$/i;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** False only for a text in which no such token stands. */
export function mayHoldUnknownToken(text: string): boolean {
  return hasLongWord(text, shortestToken) && /[A-Za-z0-9][-_][A-Za-z0-9_-]{20}/.test(text);
}

/** Finds tokens of services that nobody here has heard of, in the way services shape them: a name, then what is random. */
export function findUnknownTokens(text: string): SecretFinding[] {
  const findings: SecretFinding[] = [];
  for (const found of text.matchAll(prefixed)) {
    const [token] = found;
    if (namesAHash.test(token) || ofOpencode.test(token) || !isToken(token)) continue;
    if (text[found.index - 1] === "/" && !isTokenInPath(token, text.slice(found.index + token.length))) continue;
    findings.push({ start: found.index, end: found.index + token.length, kind: "token" });
  }
  return findings;
}

/** Pictures and downloads are called `report_…` with a hash; one that says what it is, or is longer than any hash of these, is none. */
function isTokenInPath(token: string, behind: string): boolean {
  if (/^\.\w/.test(behind)) return false;
  return /(?:^|[-_])(?:key|sk|pat|tkn|tok|token|secret|live|prod|auth|pw|pass)[-_]/i.test(token) || longRun.test(token);
}

const longRun = /[-_][a-z0-9]{48,}$/i;

function isToken(token: string): boolean {
  let end = 0;
  for (let parts = 1; parts <= maxParts; parts += 1) {
    const sign = token.slice(end).search(/[-_]/);
    if (sign === -1 || !namePart.test(token.slice(end, end + sign))) return false;
    end += sign + 1;
    if (isRandomAfter(token.slice(0, end), token.slice(end).replace(/=+$/, ""))) return true;
  }
  return false;
}

/** Whether what follows a name is nothing that anybody would read or write. */
function isRandomAfter(prefix: string, body: string): boolean {
  if (uuid.test(body)) return surelyNamesASecret.test(prefix);
  const letters = body.replaceAll(/[-_]/g, "");
  // Words are short, and what is random has a sign now and then.
  const pieces = body.length - letters.length + 1;
  if (letters.length < 20 || letters.length / pieces < 8 || !isScrambled(letters, 20)) return false;
  if (/[a-z]/.test(letters) && /[A-Z]/.test(letters) && /\d/.test(letters)) return !isCamelCase(letters);
  // A file of a build has a hash behind a dash; behind an underscore hardly anything but a token has one.
  if (!namesASecret.test(prefix) && !prefix.endsWith("_")) return false;
  return body.split(/[-_]/).some((piece) => piece.length >= 32 && isJumbled(piece));
}

/** Words make up most of it: `getUserById2FromHTTPServer`. By chance, runs of three small letters are a sixth. */
function isCamelCase(letters: string): boolean {
  return letters.replaceAll(/[A-Z]?[a-z]{3,}/g, "").length < letters.length * 0.4;
}

/** Digits and letters take turns, as they do by chance: in a third of all places at least. */
function isJumbled(letters: string): boolean {
  const turns = letters.match(/\d(?=\D)|\D(?=\d)/g)?.length ?? 0;
  return turns >= letters.length * 0.25;
}
