import type { Turn } from "../conversation.js";
import type { TurnRow } from "./turn-queries.js";

// A memory holds 64 KiB, and what is redacted may become longer.
const longestBytes = 48 * 1024;
// A cut between two lines, or at least two words, where there is one not too far back.
const searchedBack = 4000;
// So far back at most for whole characters; nobody writes more marks on one.
const longestCharacter = 64;

/** Whether a turn is too long for one memory. */
export function isLong(content: string): boolean {
  // Three bytes at most for each unit.
  return content.length * 3 > longestBytes && Buffer.byteLength(content) > longestBytes;
}

/**
 * What a turn says, in parts that each fit into a memory; joined they are the same text. Most turns are one part. A long one is
 * to be cleaned before: a secret that lies across a cut is none that anybody would find.
 */
export function splitTurn(content: string): string[] {
  const parts: string[] = [];
  let rest = content;
  while (isLong(rest)) {
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
  return beforeMarker(text, wholeCharacters(text, end));
}

const goesOn = /^[\p{Mark}\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}\uDC00-\uDFFF]/u;

/** Not within a surrogate pair, nor before what belongs to the character before it: alone it would be taken out. */
function wholeCharacters(text: string, end: number): number {
  for (let at = end; at > end - longestCharacter && at > 1; at -= 1) {
    const isJoined = text[at - 1] === "\u200D" || goesOn.test(text.slice(at, at + 2));
    if (!isJoined) return at;
  }
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code <= 0xdbff ? end - 1 : end;
}

/** Not within what stands for a secret: half of it could be taken for one. */
function beforeMarker(text: string, end: number): number {
  const start = text.lastIndexOf("[redacted:", end - 1);
  const isWithin =
    start > 0 && end - start < longestMarker && text.slice(start, start + longestMarker).indexOf("]") >= end - start;
  return isWithin ? start : end;
}

const longestMarker = 40;

/** Turns from their rows, with the parts of long ones joined. A part whose beginning is not among them stands for itself. */
export function joinParts(rows: readonly TurnRow[]): Turn[] {
  const turns: Turn[] = [];
  const open = new Map<string, Turn>();
  for (const { id, turn, part: _part, ...row } of rows) {
    const begun = turn === undefined ? undefined : open.get(turn);
    if (begun) {
      begun.content += row.content;
      begun.ids.push(id);
      begun.lastSequence = row.sequence;
      begun.isTainted ||= row.isTainted;
      if (row.isPasted) begun.isPasted = true;
      continue;
    }
    const next: Turn = { ...row, lastSequence: row.sequence, ids: [id] };
    turns.push(next);
    if (turn !== undefined) open.set(turn, next);
  }
  return turns;
}
