import { basename, join } from "node:path";
import { spoolFolder, spoolsFolder, type SpoolPlace } from "./spool-place.js";

/** Of a spool that somebody claimed: by which process, and when. */
export const claim = /\.finishing-(\d+-\d+)-(\d+)-[0-9a-f-]+$/;
/** Of one that could not be taken in and lies aside. */
export const failed = /\.failed-[0-9a-f-]+$/;
export const suffix = new RegExp(`${claim.source}|${failed.source}`);

/**
 * Among the names of all spools the folders of what was noted of a session and is not taken in yet: oldest first, so the one
 * that is written to comes last.
 */
export function partsAmong(names: readonly string[], place: SpoolPlace, sessionId: string): string[] {
  const own = basename(spoolFolder(place, sessionId));
  return names
    .filter((name) => name.startsWith(own) && name.replace(suffix, "") === own)
    .map((name) => ({ name, at: name === own ? Infinity : Number(claim.exec(name)?.[2] ?? 0) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ name }) => join(spoolsFolder(place.home), name));
}
