import { createHash } from "node:crypto";

/**
 * The same text has the same hash, however its blanks and line ends fall. Letters stay as they are: `getUser` and
 * `getuser` are two things.
 */
export function hashOf(content: string): string {
  const normalised = content.normalize("NFC").replace(/\s+/g, " ").trim();
  return createHash("sha256").update(normalised).digest("hex");
}
