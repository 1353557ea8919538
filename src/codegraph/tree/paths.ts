/** The folder a path is in, empty for the root. */
export function folderOf(path: string): string {
  const end = path.lastIndexOf("/");
  return end < 0 ? "" : path.slice(0, end);
}

/** A path as seen from a folder, `..` and all; undefined where it leads out of the tree. */
export function joinPath(folder: string, relative: string): string | undefined {
  const parts = folder === "" ? [] : folder.split("/");
  for (const part of relative.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}

/** A path without its extension; that of `a.d.ts` is all of `.d.ts`. */
export function stemOf(path: string): string {
  return path.replace(/(?:\.d)?\.[^./]+$/, "");
}

/** The last extension of a file in small letters, without its dot; empty where there is none. */
export function extensionOf(path: string): string {
  return /[^/]\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
}
