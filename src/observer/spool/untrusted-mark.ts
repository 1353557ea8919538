import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Note, UntrustedSource } from "../observer.js";

/** Written before the first note that brings something from outside. */
export const untrustedFile = "outside";
/** Written instead of a note that may have brought something from outside, where a full spool has no room for it. */
export const untrustedUnnotedFile = "outside-unnoted";

/** What brought content from outside into a session, by a mark of its spool; undefined: nothing. */
export function readUntrustedMark(
  folder: string,
  name: typeof untrustedFile | typeof untrustedUnnotedFile,
): UntrustedSource | undefined {
  let text: string;
  try {
    text = readFileSync(join(folder, name), "utf8");
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? undefined : unknownSource;
  }
  try {
    return JSON.parse(text) as UntrustedSource;
  } catch {
    return unknownSource;
  }
}

/** For what cannot be read: that there is something says enough. */
export const unknownSource: UntrustedSource = { from: "file", what: "unknown" };

export function untrustedSourceIn(note: Note): UntrustedSource | undefined {
  return note.kind === "call" || note.kind === "result" ? note.outside : undefined;
}

/** The same, and what it may have brought: whose files are the project's own is only known at the end. */
export function possibleUntrustedSourceIn(note: Note): UntrustedSource | undefined {
  if (note.kind === "result" && note.answer !== undefined) return note.outside ?? { from: "mcp", what: "unknown" };
  if (note.kind !== "call") return untrustedSourceIn(note);
  const file = note.files?.[0] ?? note.search?.where;
  return note.outside ?? (file === undefined ? undefined : { from: "file", what: file });
}
