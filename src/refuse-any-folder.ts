import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, parse, relative } from "node:path";
import { MemoryError } from "./base/memory-error.js";
import type { FolderIdentity } from "./memory/folder-identity.js";

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
  const below = relative(root, realHome());
  return !/^\.\.(?:$|[/\\])/.test(below) && !isAbsolute(below);
}

/** As the root is given: what a symbolic link leads to. */
function realHome(): string {
  try {
    return realpathSync.native(homedir());
  } catch {
    return homedir();
  }
}
