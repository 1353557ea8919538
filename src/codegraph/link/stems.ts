/**
 * The paths without extension that a file answers to: `src/a.ts` to `src/a`, `src/a/index.ts` to `src/a/index` and
 * `src/a`, `src/a.d.ts` to `src/a` and `src/a.d`. Whoever looked for one of them and found something else, or nothing, is concerned when the file appears.
 */
export function stemsOf(path: string): string[] {
  const own = stemOf(path);
  const required = requiredAs(path);
  if (required !== undefined) return [own, `*/${required}`];
  const declared = /\.d(?=\.[^./]+$)/.test(path) ? [`${own}.d`] : [];
  const folder = /^(.*)\/(?:index|__init__)$/.exec(own)?.[1];
  // A Python package may be imported by its bare name from wherever it lies.
  const anywhere =
    own.endsWith("/__init__") && folder !== undefined ? [`*/${folder.slice(folder.lastIndexOf("/") + 1)}`] : [];
  if (folder !== undefined) return [own, folder, ...anywhere, ...declared];
  // A file of C may be included from wherever a compiler is told to look.
  if (/\.(?:[ch](?:c|h|pp|xx|\+\+)?|hh|cc|in[cl]|[it]pp|def)$/i.test(path))
    return [own, `*/${own.slice(own.lastIndexOf("/") + 1)}`];
  return own === "index" || own === "__init__" ? [own, "", ...declared] : [own, ...declared];
}

/** What Ruby may require a file as, from wherever it lies: `lib/rack/utils.rb` is `rack/utils`. */
export function requiredAs(path: string): string | undefined {
  return /(?:^|\/)(?:lib|spec|test)\/(.+)\.rb$/.exec(path)?.[1];
}

/** A path without its extension; that of `a.d.ts` is all of `.d.ts`. */
export function stemOf(path: string): string {
  return path.replace(/(?:\.d)?\.[^./]+$/, "");
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

/** The folder a path is in, empty for the root. */
export function folderOf(path: string): string {
  const end = path.lastIndexOf("/");
  return end < 0 ? "" : path.slice(0, end);
}
