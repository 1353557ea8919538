import type { Rename } from "./find-renames.js";

export interface HashedFile {
  path: string;
  /** Of its content; empty where it is not known. */
  hash: string;
}

// SHA-1 of no bytes. Empty files are all alike.
const emptyHash = "da39a3ee5e6b4b0d3255bfef95601890afd80709";

/**
 * Pairs files that vanished with files that appeared and say the same: the only two of that content, or the only two of
 * them with the same base name. Where it could be another one, neither is paired.
 *
 * @example pairMoved([{ path: "a.ts", hash }], [{ path: "src/a.ts", hash }]) // [{ from: "a.ts", to: "src/a.ts" }]
 */
export function pairMoved(gone: readonly HashedFile[], appeared: readonly HashedFile[]): Rename[] {
  const left = groupBy(gone, ({ hash }) => hash);
  const right = groupBy(appeared, ({ hash }) => hash);
  return [...left].flatMap(([hash, from]) => {
    const to = right.get(hash) ?? [];
    if (hash === "") return [];
    if (from.length === 1 && to.length === 1 && hash !== emptyHash) return pairOnly(from, to);
    const named = groupBy(to, baseName);
    return [...groupBy(from, baseName)].flatMap(([name, files]) => pairOnly(files, named.get(name) ?? []));
  });
}

function pairOnly([from, ...others]: HashedFile[], [to, ...more]: HashedFile[]): Rename[] {
  return from && to && others.length + more.length === 0 ? [{ from: from.path, to: to.path }] : [];
}

function baseName({ path }: HashedFile): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function groupBy(files: readonly HashedFile[], key: (file: HashedFile) => string): Map<string, HashedFile[]> {
  const groups = new Map<string, HashedFile[]>();
  for (const file of files) {
    const group = groups.get(key(file));
    if (group) group.push(file);
    else groups.set(key(file), [file]);
  }
  return groups;
}
