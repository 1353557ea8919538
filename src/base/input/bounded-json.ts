/**
 * JSON that somebody else wrote, parsed only where that is cheap. Parsing a document of a million keys takes a second, and what
 * walks it afterwards longer; one nested 100,000 deep ends whatever calls itself. To count brackets and commas takes 3 ms a
 * megabyte, less where strings are long, and stops at the limit (2026-11).
 */

// Twice as deep as anything that agents, editors and MCP clients were seen to send.
const maxDepth = 64;
// What a hook walks in 20 ms. The longest answer of a tool that was seen had 3,000.
const maxValues = 20_000;
// A document of an agent has about twenty.
const maxMembers = 500;

/** True for a document with at most 64 levels and 20,000 values, whether it is valid or not. */
export function isBoundedJson(text: string): boolean {
  return scan(text, 0).isBounded;
}

/**
 * The object in a text, with its own JSON as a string in the place of each member that has too many values or levels: an
 * agent's event is still known by its session, its tool and what was said, so that nobody escapes being noted by answering with
 * more than is parsed. Undefined for what is no object.
 */
export function parseBoundedObject(text: string): Record<string, unknown> | undefined {
  if (isBoundedJson(text)) return objectOf(parse(text));
  const entries: [string, unknown][] = [];
  let at = afterSpace(text, 0);
  if (text[at] !== "{") return undefined;
  while (text[at] === "{" || text[at] === ",") {
    const keyStart = afterSpace(text, at + 1);
    const keyEnd = text[keyStart] === '"' ? endOfString(text, keyStart) : -1;
    const colon = keyEnd === -1 ? -1 : afterSpace(text, keyEnd);
    if (text[colon] !== ":" || entries.length >= maxMembers) break;
    const { isBounded, end } = scan(text, colon + 1, { toItsEnd: true });
    if (end === -1) return undefined;
    const key = parse(text.slice(keyStart, keyEnd));
    const written = text.slice(colon + 1, end);
    const value = isBounded ? parse(written) : written;
    if (typeof key !== "string" || value === undefined) return undefined;
    entries.push([key, value]);
    at = afterSpace(text, end);
  }
  return text[at] === "}" || entries.length >= maxMembers ? Object.fromEntries(entries) : undefined;
}

/** The objects of a list, each as `parseBoundedObject` reads it: however long the list, none of them is too large. */
export function parseBoundedList(text: string): Record<string, unknown>[] | undefined {
  const objects: Record<string, unknown>[] = [];
  let at = afterSpace(text, 0);
  if (text[at] !== "[") return undefined;
  for (let values = 0; (text[at] === "[" || text[at] === ",") && values < maxValues; values++) {
    const { end } = scan(text, at + 1, { toItsEnd: true });
    if (end === -1) return undefined;
    const object = parseBoundedObject(text.slice(at + 1, end));
    if (object) objects.push(object);
    at = afterSpace(text, end);
  }
  return objects;
}

interface Scanned {
  isBounded: boolean;
  /** Behind the value; -1 where it is cut, or was not followed to its end. */
  end: number;
}

/** Counts what stands in the value that begins here. Past a limit only its end is looked for, and only if asked for. */
function scan(text: string, from: number, { toItsEnd = false } = {}): Scanned {
  let depth = 0;
  let values = 1;
  let isBounded = true;
  for (let at = from; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = endOfString(text, at) - 1;
        if (at < 0) return { isBounded, end: -1 };
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth++;
        values++;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        // The end of what it stands in.
        if (depth === 0) return { isBounded, end: at };
        depth--;
        if (depth === 0 && toItsEnd) return { isBounded, end: at + 1 };
        break;
      case 0x2c: // ,
        if (depth === 0 && toItsEnd) return { isBounded, end: at };
        values++;
        break;
    }
    if (depth > maxDepth || values > maxValues) isBounded = false;
    if (!isBounded && !toItsEnd) return { isBounded, end: -1 };
  }
  return { isBounded, end: depth === 0 ? text.length : -1 };
}

/** Behind the closing quote of the string that begins here; -1 where there is none. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === "\\") slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
  return -1;
}

function afterSpace(text: string, from: number): number {
  let at = from;
  while (text[at] === " " || text[at] === "\n" || text[at] === "\r" || text[at] === "\t") at++;
  return at;
}

/** Undefined for what is not valid, which no JSON value is. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function objectOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}
