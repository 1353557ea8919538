import { fieldNames, isAfterValue, readObjects, type ReplyFields } from "./read-objects.js";
import { afterBlanks, decodeString, endOfString } from "./read-string.js";

/**
 * What a model answered to the prompt of consolidation: the fields `history_entry` and `memory_update`. Anything may stand
 * around them: fences, thoughts, words; they may be wrapped in other objects, and the reply may break off. A field that
 * broke off is not given: half a memory would look like a wish to forget the rest. Takes any text, and never throws.
 *
 * Three tiers: the whole as JSON; the first object in it that has one of the fields; the fields alone, after their names.
 *
 * @example
 * parseReply('Sure:\n```json\n{"history_entry": "Moved to pnpm.", "memory_update": "- Use pnpm."}\n```')
 * // { historyEntry: "Moved to pnpm.", memoryUpdate: "- Use pnpm." }
 */
export function parseReply(reply: string): ReplyFields {
  const said = withoutThoughts(reply.trim());
  const whole = parseWhole(said);
  // Sent as JSON twice over.
  if (typeof whole === "string") return parseText(whole);
  return fieldsOf(whole) ?? parseText(said);
}

function parseText(text: string): ReplyFields {
  const thoughts = text.lastIndexOf("</think");
  // Some models leave out where their thoughts begin.
  const answer = thoughts === -1 ? undefined : readObjects(text.slice(thoughts)).whole;
  if (answer) return answer;
  const { whole, part } = readObjects(text);
  return whole ?? part ?? fieldsAlone(text);
}

/** Without thoughts at the beginning, which may hold drafts; those that never end are all there is. */
function withoutThoughts(text: string): string {
  const begin = /\s*<(think|thinking)>/y;
  for (let at = 0; ; at = begin.lastIndex) {
    begin.lastIndex = at;
    const tag = begin.exec(text)?.[1];
    if (tag === undefined) return text.slice(at);
    const end = text.indexOf(`</${tag}>`, begin.lastIndex);
    if (end === -1) return "";
    begin.lastIndex = end + tag.length + 3;
  }
}

function parseWhole(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Of a value of JSON: its own fields, or those of the first object just inside of it that has some. */
function fieldsOf(value: unknown, isInside = false): ReplyFields | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const fields: ReplyFields = {};
  for (const [name, field] of fieldNames) {
    const said = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
    if (typeof said === "string" && said.trim() !== "") fields[field] = said;
  }
  if (Object.keys(fields).length > 0) return fields;
  if (isInside) return undefined;
  for (const inside of Object.values(value)) {
    const found = fieldsOf(inside, true);
    if (found) return found;
  }
  return undefined;
}

/** Of a text in which no object makes sense: the first string after each name that ends as a value does. */
function fieldsAlone(text: string): ReplyFields {
  const fields: ReplyFields = {};
  const names = /(?<!\\)"(history_entry|memory_update)"\s*:\s*(?=")/g;
  for (let found = names.exec(text); found; found = names.exec(text)) {
    const end = endOfString(text, names.lastIndex);
    if (end === -1) break;
    const field = fieldNames.get(found[1] ?? "");
    const said = decodeString(text.slice(names.lastIndex, end));
    if (field && said.trim() !== "" && isAfterValue(text, afterBlanks(text, end))) fields[field] ??= said;
    names.lastIndex = end;
  }
  return fields;
}
