import { createHash } from "node:crypto";

/**
 * 16 hexadecimal digits that the same error has in every session: numbers, addresses, times, folders and quoted values do
 * not count. The name of a module, package or command does: another one missing is another error.
 */
export function fingerprint(kind: string, message: string, place = ""): string {
  return createHash("sha1")
    .update(`${kind}\n${normalised(message)}\n${place}`)
    .digest("hex")
    .slice(0, 16);
}

/** An error's line without what differs from one time to the next. */
function normalised(message: string): string {
  return message
    .replace(/\b(module|package|named|command|script:?|specifier|program)(\s+)(["'`])([^"'`]{1,200})\3/gi, keptName)
    .replace(/(["'`])(?:(?!\1).){0,200}\1/g, "<value>")
    .replace(/\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?/g, "<time>")
    .replace(/(?:[A-Za-z]:)?(?:[\w.@~+-]{0,100}[\\/])+([\w.@+-]{1,100})/g, "$1")
    .replace(/\b0x[0-9a-f]+\b|\b[0-9a-f]{8}-[0-9a-f-]{20,30}\b|\b(?=[a-f]*\d)[0-9a-f]{7,64}\b/gi, "<hex>")
    .replace(/\d+(?:\.\d+)?/g, "<n>")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();
}

function keptName(_: string, word: string, blank: string, __: string, name: string): string {
  const isPath = /^(?:\.{0,2}[\\/]|[A-Za-z]:)/.test(name);
  return `${word}${blank}${isPath ? name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1) : name}`;
}
