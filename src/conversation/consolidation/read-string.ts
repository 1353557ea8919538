/** Behind the string that begins at this quotation mark; -1 where it is never closed. */
export function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quotationMark) return at + 1;
    if (code === backslash) at += 1;
  }
  return -1;
}

/**
 * What a JSON string says, given with its quotation marks. Models write line ends and escapes in it that JSON does not know:
 * the line ends stay, and so does the backslash of such an escape (`\d`, `C:\dir`).
 */
export function decodeString(written: string): string {
  const inside = written.slice(1, -1);
  if (!inside.includes("\\")) return inside;
  return inside.replace(escape, (found, sign: string) => {
    if (sign.length === 5) return String.fromCharCode(Number.parseInt(sign.slice(1), 16));
    return plainEscapes.get(sign) ?? found;
  });
}

/** The first character from here that is no blank. */
export function afterBlanks(text: string, from: number): number {
  let at = from;
  while (isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

const quotationMark = 0x22;
const backslash = 0x5c;
const escape = /\\(u[\dA-Fa-f]{4}|[^])/g;
const plainEscapes = new Map([
  ['"', '"'],
  ["'", "'"],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

// Blank, tab, line ends, and what models put around JSON: a hard blank and a byte order mark.
function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0 || code === 0xfeff;
}
