import { MemoryError } from "../base/memory-error.js";

/** The most that one text may weigh in UTF-8: 64 KiB. */
export const contentLimitBytes = 65536;

/** Throws for what SQLite would cut short (NUL) or silently alter (half of a surrogate pair). Quotes nothing. */
export function refuseUnstorable(text: string, field: string): void {
  const nulOffset = text.indexOf("\0");
  if (nulOffset !== -1) {
    throw new MemoryError(
      "content-refused",
      `${field} has a NUL character at offset ${nulOffset}`,
      "Remove the NUL character; binary data cannot be remembered.",
    );
  }

  // Halves of pairs are rarer than pairs, and texts without either are the rule.
  const loneOffset = /[\uD800-\uDFFF]/.test(text) ? text.search(/\p{Surrogate}/u) : -1;
  if (loneOffset !== -1) {
    throw new MemoryError(
      "content-refused",
      `${field} has half of a surrogate pair at offset ${loneOffset}, which is not valid Unicode`,
      "Send whole characters; the text was probably cut in the middle of an emoji.",
    );
  }
}

/** Throws when the text weighs more than `contentLimitBytes`. `when` ends the message's first clause. */
export function refuseOversized(text: string, field: string, when: string): void {
  const bytes = Buffer.byteLength(text, "utf8");
  if (bytes <= contentLimitBytes) return;
  throw new MemoryError(
    "content-refused",
    `${field} has ${bytes} bytes${when}, more than the ${contentLimitBytes} that are kept`,
    "Shorten it, or split it into several texts.",
  );
}
