import type { Note } from "../observer.js";

// One write of whole lines to a file stays whole up to 4 KB on every system and in practice far above; a session of 5,000
// events stays below the 50 MB of a scratchpad even if every note were of this size.
const maxBytes = 8000;

/** The note in at most 8,000 bytes of JSON: lists that are too long lose their ends. */
export function boundNote(note: Note): Note {
  // A character takes at most three bytes, and every list and text is bounded already: most notes are far below.
  if (lengthOf(note) * 3 < maxBytes) return note;
  let bounded = note;
  for (let round = 0; round < 12; round++) {
    if (Buffer.byteLength(JSON.stringify(bounded)) <= maxBytes) return bounded;
    bounded = halved(bounded) as Note;
  }
  return bounded;
}

/** About as long as its JSON. */
function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length + 3;
  if (typeof value !== "object" || value === null) return 10;
  let length = 2;
  for (const name in value) {
    if (!Array.isArray(value)) length += name.length + 3;
    length += lengthOf((value as Record<string, unknown>)[name]);
  }
  return length;
}

/** With lists of half the length. */
function halved(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, Math.floor(value.length / 2));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, halved(inner)]));
}
