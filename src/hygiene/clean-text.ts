import { stripInvisible } from "./invisible-characters.js";
import { dropPrivateParts } from "./private-parts.js";
import { redactSecrets } from "./secrets/redact-secrets.js";
import { refuseOversized, refuseUnstorable } from "./refuse-unstorable.js";

/** What was taken out of a text. */
export type HygieneFlag = "secret-redacted" | "private-removed" | "invisible-removed";

export interface CleanText {
  text: string;
  flags: HygieneFlag[];
}

/**
 * Cleans one text that is to be stored. `field` names it in errors ("content", "tag", "metadata.ticket").
 *
 * What is not private, invisible or secret stays byte for byte. Cleaning a clean text changes nothing. Throws
 * `content-refused` for a NUL, half a surrogate pair, or more than `contentLimitBytes`, before or after redaction.
 *
 * @example
 * await cleanText("login <private>as bob</private> with password=hunter2", "content")
 * // { text: "login  with password=[redacted:password]", flags: ["private-removed", "secret-redacted"] }
 */
export async function cleanText(text: string, field: string): Promise<CleanText> {
  refuseOversized(text, field, "");
  const cleaned = await cleanLongText(text, field);
  refuseOversized(cleaned.text, field, " once its secrets are redacted");
  return cleaned;
}

/**
 * The same for a text of any size that is to be cut into several: a secret or a private part that lies across a cut is found
 * only before it is made. A megabyte takes about half a second at most (2026-11).
 */
export async function cleanLongText(text: string, field: string): Promise<CleanText> {
  refuseUnstorable(text, field);

  const flags = new Set<HygieneFlag>();
  const visible = removeHiddenParts(text, flags);

  const redacted = await redactSecrets(visible);
  if (redacted !== visible) flags.add("secret-redacted");
  return { text: redacted, flags: [...flags] };
}

function removeHiddenParts(text: string, flags: Set<HygieneFlag>): string {
  let before = text;
  for (;;) {
    const open = dropPrivateParts(before);
    if (open !== before) flags.add("private-removed");
    const visible = stripInvisible(open);
    if (visible !== open) flags.add("invisible-removed");
    // Once more after a change: an invisible character may have split a tag, a private part an emoji.
    if (visible === before) return visible;
    before = visible;
  }
}
