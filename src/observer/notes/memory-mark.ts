import { createHash } from "node:crypto";
import { stripInvisible } from "../../hygiene/invisible-characters.js";
import { dropPrivateParts } from "../../hygiene/private-parts.js";
import { mayHoldSecret } from "./redact-note.js";

/** Of a text that nobody here knows. */
export const unknownMark = "?";

/**
 * The mark of a text that was to be remembered: what the memory made of it has as its hash. The same as `hashOf` of the
 * room of memories, which would bring the whole room into a hook's process. The rules for secrets would as well: where
 * one may be redacted in between, a question mark goes before it.
 */
export function memoryMark(content: string): string {
  const visible = visibleText(content);
  const hash = createHash("sha256").update(visible.normalize("NFC").replace(/\s+/g, " ").trim()).digest("hex");
  return mayHoldSecret(visible) ? `${unknownMark}${hash}` : hash;
}

// Longer ones are refused.
const longest = 1024 * 1024;

function visibleText(content: string): string {
  let before = content.slice(0, longest);
  // As cleaning does: what was taken out may have split what is taken out next.
  for (let round = 0; round < 5; round++) {
    const visible = stripInvisible(dropPrivateParts(before));
    if (visible === before) break;
    before = visible;
  }
  return before;
}
