import { stripInvisible } from "../hygiene/invisible-characters.js";
import { dropPrivateParts } from "../hygiene/private-parts.js";
import { redactSecrets } from "../hygiene/secrets/redact-secrets.js";

/**
 * A text as it may leave the machine: without secrets, private parts and invisible characters. Memories are clean
 * already; a question is as somebody typed it. Unlike what is kept, it may have any length, and is never refused.
 *
 * @example
 * await outgoingText("why does password=hunter2 fail?") // "why does password=[redacted:password] fail?"
 */
export async function outgoingText(text: string): Promise<string> {
  return redactSecrets(dropPrivateParts(stripInvisible(readableText(text))));
}

/** A text that any server can read: NULs and halves of pairs are replaced. */
export function readableText(text: string): string {
  return Buffer.from(text).toString().replaceAll("\0", " ");
}
