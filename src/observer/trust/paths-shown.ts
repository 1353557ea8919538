import type { Action } from "../scratchpad/session-view.js";

/** The files, folders and patterns that an action showed something of; those that its answer names are not among them. */
export function pathsShown({
  does,
  files = [],
  shows = [],
  search,
  found,
  failed,
  command,
  wordless,
}: Action): string[] {
  if (found === 0 || wordless) return [];
  const isLook = does !== "run" && does !== "edit" && search?.by !== "name";
  const where = isLook && search?.where !== undefined ? [staticPart(search.where)] : [];
  const shown = [...(isLook ? files : []), ...shows, ...where];
  // An error of a tool for one file or folder shows nothing of it: agents guess paths. A command that failed may have shown it.
  return failed && shown.length === 1 && !command ? [] : shown;
}

/** `src/ui` of `src/ui/*.ts`. */
function staticPart(where: string): string {
  const at = where.search(/[*?{[]/);
  return at === -1 ? where : where.slice(0, Math.max(0, where.lastIndexOf("/", at)));
}
