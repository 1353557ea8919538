import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { mainFile } from "./append-notes.js";
import { spoolFolder, type SpoolPlace } from "./spool-place.js";

/**
 * True where it is noted of a session that is not taken in yet how it began, in any part of it, by the agent itself: what
 * Tacit notes before the first event of a part says only what git had.
 */
export function hasStarted(place: SpoolPlace, sessionId: string): boolean {
  const folder = spoolFolder(place, sessionId);
  try {
    const parts = readdirSync(dirname(folder)).filter((name) => name.startsWith(basename(folder)));
    return parts.some((name) => holdsStart(join(dirname(folder), name, mainFile)));
  } catch {
    return false;
  }
}

/**
 * True where the part of a session's notes that is written to has begun. A process that was killed may leave a folder, or a
 * file, with nothing in it.
 */
export function hasBegun(place: SpoolPlace, sessionId: string): boolean {
  const main = statSync(join(spoolFolder(place, sessionId), mainFile), { throwIfNoEntry: false });
  return main !== undefined && main.size > 0;
}

function holdsStart(path: string): boolean {
  try {
    // In a text that somebody wrote, its quotation marks would have a backslash each.
    return /"kind":"start",[^\n]*"agent":/.test(readFileSync(path, "utf8"));
  } catch {
    return false;
  }
}
