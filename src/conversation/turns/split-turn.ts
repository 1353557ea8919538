import { dropPrivateParts } from "../../hygiene/private-parts.js";
import type { Turn } from "../conversation.js";
import type { TurnRow } from "./turn-queries.js";

// A memory holds 64 KiB, and what is redacted may become longer.
const longestBytes = 48 * 1024;
// A cut between two lines, or at least two words, where there is one not too far back.
const searchedBack = 4000;

/** What a turn says, in parts that each fit into a memory; joined they are the same text. Most turns are one part. */
export function splitTurn(content: string): string[] {
  // Three bytes at most for each unit.
  if (content.length * 3 <= longestBytes || Buffer.byteLength(content) <= longestBytes) return [content];
  // Before it is cut: no part may hold the end of what is private without its beginning.
  let rest = dropPrivateParts(content);
  const parts: string[] = [];
  while (Buffer.byteLength(rest) > longestBytes) {
    const end = cutOf(rest);
    parts.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...parts, rest];
}

function cutOf(text: string): number {
  let end = Math.min(text.length, longestBytes);
  while (Buffer.byteLength(text.slice(0, end)) > longestBytes) end = Math.floor(end * 0.9);
  const from = Math.max(1, end - searchedBack);
  for (const mark of ["\n", " "]) {
    const at = text.lastIndexOf(mark, end - 1);
    if (at >= from) return at + 1;
  }
  // Not between the halves of a surrogate pair.
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code <= 0xdbff ? end - 1 : end;
}

/** Turns from their rows, with the parts of long ones joined. A part whose beginning is not among them stands for itself. */
export function joinParts(rows: readonly TurnRow[]): Turn[] {
  const turns: Turn[] = [];
  for (const { id, part, ...row } of rows) {
    const before = turns.at(-1);
    if (part !== undefined && part > 1 && before && before.role === row.role) {
      before.content += row.content;
      before.ids.push(id);
      before.lastSequence = row.sequence;
      before.isTainted ||= row.isTainted;
    } else {
      turns.push({ ...row, lastSequence: row.sequence, ids: [id] });
    }
  }
  return turns;
}
