/** Folders that hold no code of the project wherever they lie: packages of others, and what Tacit keeps itself. */
export const foreignFolders: ReadonlySet<string> = new Set(["node_modules", ".tacit"]);

/** Whether a file lies in one of them, at any depth. */
export function isForeign(path: string): boolean {
  return path.split("/").some((name, at, names) => at < names.length - 1 && foreignFolders.has(name));
}
