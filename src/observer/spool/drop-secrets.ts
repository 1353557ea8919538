import type { Note } from "../observer.js";
import { needsRedaction } from "../notes/redact-note.js";

/** The note without any text that may hold a secret, for when there is no time to take out the secret alone. */
export function dropSecrets(note: Note): Note {
  return withoutSecrets(note, "") as Note;
}

function withoutSecrets(value: unknown, name: string): unknown {
  if (!mayHoldSecret(value, name)) return value;
  if (Array.isArray(value)) return value.filter((item) => !mayHoldSecret(item, name));
  if (typeof value !== "object" || value === null) return "";
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutSecrets(inner, key)]));
}

/** By its name too: an id is none, however it looks. */
function mayHoldSecret(value: unknown, name: string): boolean {
  return needsRedaction({ [name]: value } as unknown as Note);
}
