import { createHash } from "node:crypto";

/**
 * The mark of a text that was to be remembered: what the memory made of it has as its hash, unless something was redacted
 * in between. The same as `hashOf` of the room of memories, which would bring the whole room into a hook's process.
 */
export function memoryMark(content: string): string {
  return createHash("sha256").update(content.normalize("NFC").replace(/\s+/g, " ").trim()).digest("hex");
}
