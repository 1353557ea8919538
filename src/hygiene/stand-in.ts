import { createHash } from "node:crypto";
import { hasLongWord } from "./secrets/long-words.js";
import { findTokens } from "./secrets/token-shapes.js";
import { findUnknownTokens } from "./secrets/unknown-tokens.js";

/**
 * A name that something is stored or found by (a session, a branch, a path, a symbol), with a stand-in for each part that holds a
 * token. Unlike a redaction it stays a name: the same for the same token, and another for another. Nothing is loaded for it, and
 * a UUID costs nothing, because a hook asks for every event.
 *
 * @example standIn("feature/ghp_…") // "feature/redacted-1a2b3c4d5e6f"
 */
export function standIn(name: string): string {
  if (name.length < shortestToken || uuid.test(name) || !hasLongWord(name, shortestToken)) return name;
  return name.replaceAll(part, (found) => (isToken(found) ? redacted(found) : found));
}

/** Whether a name would be stored otherwise than it is. */
export function holdsToken(name: string): boolean {
  return standIn(name) !== name;
}

// Of xoxb- and ten characters.
const shortestToken = 15;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
// A folder, a file, an id: what signs join is looked at by itself, because a token seldom stands behind one in a text.
const part = /[^/\\:#@\s]{15,}/g;
// Behind these what remains is a file's ending.
const ending = /(?:\.[A-Za-z]{1,5}){1,2}$/;

function isToken(found: string): boolean {
  return [found, found.replace(ending, ""), ...found.split(/[.]|__/)].some(
    (text) => text.length >= shortestToken && (findTokens(text).length > 0 || findUnknownTokens(text).length > 0),
  );
}

/** Twelve digits of its hash, which nobody finds a random token by. */
function redacted(found: string): string {
  return `redacted-${createHash("sha256").update(found).digest("hex").slice(0, 12)}${ending.exec(found)?.[0] ?? ""}`;
}
