import { realpathSync } from "node:fs";
import { isAbsolute, parse, relative } from "node:path";
import { findUserHome } from "../../base/files/files.js";
import { MemoryError } from "../../base/memory-error.js";
import type { FolderIdentity } from "./identify-folder.js";

/** A home folder, what is above it, or a whole disk is no project, and would take hours. Unless git says that it is one. */
export function refuseAnyFolder({ root, gitKey }: FolderIdentity): void {
  if (gitKey !== undefined || (!holdsHome(root) && root !== parse(root).root)) return;
  throw new MemoryError(
    "invalid-input",
    `${root} is no project: it holds everything of a user.`,
    "Run it in the folder of a project.",
  );
}

function holdsHome(root: string): boolean {
  const home = findUserHome();
  if (home === undefined) return false;
  const below = relative(root, realPath(home));
  return !/^\.\.(?:$|[/\\])/.test(below) && !isAbsolute(below);
}

/** As the root is given: what a symbolic link leads to. */
function realPath(home: string): string {
  try {
    return realpathSync.native(home);
  } catch {
    return home;
  }
}
