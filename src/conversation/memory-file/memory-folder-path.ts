import { createHash } from "node:crypto";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { userHome } from "../../base/files/files.js";
import { MemoryError } from "../../base/memory-error.js";

export interface MemoryFolderSetting {
  /** Tacit's own folder. */
  home: string;
  /** The root of the project's work tree. */
  root: string;
  /** As it is set. */
  memoryFolder: string | null;
  /** Whatever its user called it. */
  projectId: string;
  /** The store, where it is not the one in Tacit's own folder: two stores may know projects of the same id. */
  db?: string;
}

/**
 * The folder that MEMORY.md and HISTORY.md of a project lie in: below Tacit's own, unless set otherwise. A relative setting
 * means a place below the project's root and is refused where it leads out of it; in an absolute one each project has a
 * folder.
 *
 * @example
 * memoryFolderPath({ home: "/h/.tacit", root: "/w/shop", memoryFolder: null, projectId: "shop" }) // "/h/.tacit/layers/shop"
 */
export function memoryFolderPath({ home, root, memoryFolder, projectId, db }: MemoryFolderSetting): string {
  const own = folderName(projectId, db);
  if (memoryFolder === null) return join(home, "layers", own);
  const path = memoryFolder.replace(/^~(?=$|[\\/])/, () => userHome());
  if (isAbsolute(path)) return join(path, own);
  const below = resolve(root, path);
  if (isInside(below, root)) return below;
  throw new MemoryError(
    "config-invalid",
    `memoryFolder leads out of the project: ${JSON.stringify(memoryFolder)}.`,
    "Name a folder below the project, or an absolute path.",
  );
}

/** Whether a path is that of a folder, or below it. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

// Small letters only: some disks do not tell capitals apart. Nothing that ends like the hash of another.
const plain = /^(?!(?:con|prn|aux|nul|com\d|lpt\d)$)(?!.*-[0-9a-f]{16}$)[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

/** The id itself where it can be the name of a folder anywhere; else what can be read of it, and its hash. */
function folderName(projectId: string, db: string | undefined): string {
  if (db === undefined && plain.test(projectId)) return projectId;
  const hash = createHash("sha256")
    .update(JSON.stringify([projectId, db ?? null]))
    .digest("hex")
    .slice(0, 16);
  const readable = projectId
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 40)
    .replace(/^-+|-+$/g, "");
  return readable === "" ? `project-${hash}` : `${readable}-${hash}`;
}
