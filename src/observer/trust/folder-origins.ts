/** Whether a file was written from what was not from outside. */
export type Origin = "clean" | "tainted";

/** The folders above files, each as trustworthy as the least trustworthy file below it. */
export function foldersOf(files: Iterable<readonly [string, Origin]>): ReadonlyMap<string, Origin> {
  const folders = new Map<string, Origin>();
  for (const [file, origin] of files) markFolders(folders, file, origin);
  return folders;
}

/** One tainted file taints what is shown of its folders. */
export function markFolders(folders: Map<string, Origin>, file: string, origin: Origin): void {
  for (let at = file.lastIndexOf("/"); at > 0; at = file.lastIndexOf("/", at - 1)) {
    const folder = file.slice(0, at);
    const known = folders.get(folder);
    // Those above it are marked already.
    if (known === "tainted" || known === origin) return;
    folders.set(folder, origin);
  }
}
