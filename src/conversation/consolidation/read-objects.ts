import { afterBlanks, decodeString, endOfString } from "./read-string.js";

/** What a model was asked for. A field that it left out, that is blank or that is no text is absent. */
export interface ReplyFields {
  historyEntry?: string;
  memoryUpdate?: string;
}

/** What the fields are called in a reply. */
export const fieldNames: ReadonlyMap<string, keyof ReplyFields> = new Map([
  ["history_entry", "historyEntry"],
  ["memory_update", "memoryUpdate"],
]);

/** The fields of the first object that has one. */
export interface FoundFields {
  /** Of one that is closed; if it has none of its own, of the first object inside of it that has. */
  whole?: ReplyFields;
  /** Of one that breaks off or makes no sense: those that were complete before. */
  part?: ReplyFields;
}

/**
 * Looks for JSON objects anywhere in a text. Goes over each character twice at most, whatever the text is. Line ends within
 * strings, and a comma before a closing sign, are let pass.
 *
 * @example
 * readObjects('Here: {"history_entry": "Fixed it."} Done.') // { whole: { historyEntry: "Fixed it." } }
 */
export function readObjects(text: string): FoundFields {
  const tried = new Uint8Array(text.length);
  let part: ReplyFields | undefined;
  for (let at = text.indexOf("{"); at !== -1;) {
    const isOne = tried[at] !== 1 && '"}'.includes(text.charAt(afterBlanks(text, at + 1)));
    const read = isOne ? readObject(text, at, tried) : undefined;
    if (read?.whole) return { whole: read.whole };
    part ??= read?.part;
    // What makes no sense was no object, and a real one may begin in what passed for a string of it.
    at = text.indexOf("{", read?.closedAt ?? at + 1);
  }
  return part ? { part } : {};
}

/** Whether a value ends here: what follows is another one, the end of what holds it, a fence, or the end of all. */
export function isAfterValue(text: string, at: number): boolean {
  const sign = text.charAt(at);
  return sign === "" || ",}]".includes(sign) || text.startsWith("```", at) || text.startsWith("~~~", at);
}

interface ReadObject extends FoundFields {
  /** Just behind it. Absent where it breaks off. */
  closedAt?: number;
}

/** An object or a list that is open. */
interface Frame {
  closing: "}" | "]";
  /** What comes next: a member or the end, the value of a key, or what follows a value. */
  awaits: "member" | "value" | "next";
  field?: keyof ReplyFields | undefined;
  /** What the field says, until what follows shows that it ends there. */
  said?: string | undefined;
  own: ReplyFields;
  /** Of the first object inside that has some. */
  inner?: ReplyFields | undefined;
}

/**
 * Reads from an opening brace. Every brace that opens an object on the way is marked as tried: read from there, it would be
 * closed or break off at the same place. That keeps it linear: two readings that pass the same character disagree about
 * whether it is in a string, and a third would have to agree with one of them.
 */
function readObject(text: string, start: number, tried: Uint8Array): ReadObject {
  const open: Frame[] = [frameOf("}")];
  tried[start] = 1;
  let at = start + 1;
  for (let frame = open[0]; frame; frame = open.at(-1)) {
    at = afterBlanks(text, at);
    const sign = text.charAt(at);
    if (frame.awaits === "next") {
      if (isAfterValue(text, at)) keep(frame);
      if (sign === ",") {
        frame.awaits = "member";
        at += 1;
        continue;
      }
      if (sign !== frame.closing) break;
    }
    if (sign === frame.closing && frame.awaits !== "value") {
      open.pop();
      at += 1;
      const found = hasSome(frame.own) ? frame.own : frame.inner;
      const outer = open.at(-1);
      if (!outer) return { closedAt: at, ...(found && { whole: found }) };
      outer.inner ??= found;
    } else if (frame.awaits === "member" && frame.closing === "}") {
      const value = readKey(text, at, frame);
      if (value === -1) break;
      frame.awaits = "value";
      at = value;
    } else {
      frame.awaits = "next";
      frame.said = undefined;
      if (sign === "{" || sign === "[") {
        open.push(frameOf(sign === "{" ? "}" : "]"));
        if (sign === "{") tried[at] = 1;
        at += 1;
        continue;
      }
      const end = sign === '"' ? endOfString(text, at) : endOfWord(text, at);
      if (end === -1) break;
      if (sign === '"' && frame.field) frame.said = decodeString(text.slice(at, end));
      at = end;
    }
  }
  return brokenOff(open);
}

function frameOf(closing: "}" | "]"): Frame {
  return { closing, awaits: "member", own: {} };
}

/** Reads a key and its colon; tells where its value begins, or -1. */
function readKey(text: string, at: number, frame: Frame): number {
  const end = text.charAt(at) === '"' ? endOfString(text, at) : -1;
  if (end === -1) return -1;
  frame.field = fieldNames.get(text.slice(at + 1, end - 1));
  const colon = afterBlanks(text, end);
  return text.charAt(colon) === ":" ? colon + 1 : -1;
}

/** Of two fields with one name the last counts, as everywhere; what is no text takes the field away. */
function keep({ field, said, own }: Frame): void {
  if (!field) return;
  if (said === undefined || said.trim() === "") delete own[field];
  else own[field] = said;
}

function hasSome(fields: ReplyFields): boolean {
  return fields.historyEntry !== undefined || fields.memoryUpdate !== undefined;
}

const word = /[\w.+-]+/y;

/** Behind a number, `true`, `null` and the like; -1 where there is none. */
function endOfWord(text: string, at: number): number {
  word.lastIndex = at;
  return word.test(text) ? word.lastIndex : -1;
}

/** What was complete: fields of the outermost that has some, or objects inside that were closed. */
function brokenOff(open: readonly Frame[]): FoundFields {
  const part = open.find(({ own }) => hasSome(own))?.own;
  if (part) return { part };
  const whole = open.find(({ inner }) => inner)?.inner;
  return whole ? { whole } : {};
}
