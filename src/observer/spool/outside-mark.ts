import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Note, Outside } from "../events/event.js";

/** Written before the first note that brings something from outside. */
export const outsideFile = "outside";
/** Written instead of a note that may have brought something from outside, where a full spool has no room for it. */
export const unnotedFile = "outside-unnoted";

/** What brought content from outside into a session, by a mark of its spool; undefined: nothing. */
export function readMark(folder: string, name: typeof outsideFile | typeof unnotedFile): Outside | undefined {
  let text: string;
  try {
    text = readFileSync(join(folder, name), "utf8");
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? undefined : unknownOutside;
  }
  try {
    return JSON.parse(text) as Outside;
  } catch {
    return unknownOutside;
  }
}

/** For what cannot be read: that there is something says enough. */
export const unknownOutside: Outside = { from: "file", what: "unknown" };

export function broughtBy(note: Note): Outside | undefined {
  return note.kind === "call" || note.kind === "result" ? note.outside : undefined;
}

/** The same, and what it may have brought: whose files are the project's own is only known at the end. */
export function mayBeBroughtBy(note: Note): Outside | undefined {
  if (note.kind !== "call") return broughtBy(note);
  const file = note.files?.[0] ?? note.search?.where;
  return note.outside ?? (file === undefined ? undefined : { from: "file", what: file });
}
