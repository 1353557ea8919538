import type { ModuleResolver, ModuleTree, Resolution } from "../module-resolver.js";
import { folderOf, joinPath, stemOf } from "../../tree/paths.js";

/**
 * Tells which file of the tree an `#include` means, from the list of its files alone. Which folders a compiler is told to
 * look in is written in too many ways to be read. So what stands beside the file counts first, then every folder that is
 * called `include`, then the root; and at last what alone ends in that path, or what of several is nearest.
 */
export function createIncludeResolver({ files }: ModuleTree): ModuleResolver {
  const layout = layOut(files);
  const known = new Map<string, Resolution>();
  return {
    resolve(from, specifier) {
      const key = `${folderOf(from)}\n${specifier}`;
      const answer = known.get(key) ?? resolve(layout, from, specifier);
      known.set(key, answer);
      return answer;
    },
  };
}

interface Layout {
  files: ReadonlySet<string>;
  /** The files of a name, wherever they lie. */
  named: ReadonlyMap<string, readonly string[]>;
  /** Folders that compilers are likely told of. */
  homes: readonly string[];
  /** Every folder that something lies in. */
  folders: ReadonlySet<string>;
}

function layOut(files: ReadonlySet<string>): Layout {
  const named = new Map<string, string[]>();
  const homes = new Set([""]);
  const folders = new Set<string>();
  for (const file of files) {
    const name = nameOf(file);
    const same = named.get(name);
    if (same) same.push(file);
    else named.set(name, [file]);
    for (let folder = folderOf(file); folder !== "" && !folders.has(folder); folder = folderOf(folder)) {
      folders.add(folder);
      if (/(?:^|\/)include$/.test(folder)) homes.add(folder);
    }
  }
  return { files, named, homes: [...homes], folders };
}

function resolve(layout: Layout, from: string, specifier: string): Resolution {
  const isOfSystem = specifier.startsWith("<");
  const path = isOfSystem ? specifier.slice(1, -1) : specifier;
  // Whatever it may mean has this name.
  const stems = [`*/${nameOf(stemOf(path))}`];
  const file = isOfSystem ? findNamed(layout, from, path) : findWritten(layout, from, path);
  if (file !== undefined) return { file, stems };
  return !isOfSystem && isOfTree(layout, from, path) ? { stems, isMissing: true } : { stems };
}

/** `<store/store.h>`: only what lies below a folder for that. What has no folder, as `<string.h>`, is not asked of the root. */
function findNamed(layout: Layout, from: string, path: string): string | undefined {
  const homes = layout.homes.filter((home) => home !== "" || path.includes("/"));
  return nearest(from, existing(layout, homes, path));
}

function findWritten(layout: Layout, from: string, path: string): string | undefined {
  const [beside] = existing(layout, [folderOf(from)], path);
  if (beside !== undefined) return beside;
  const below = existing(layout, layout.homes, path);
  if (below.length > 0) return nearest(from, below);
  const tail = `/${path.replace(/^(?:\.\.?\/)+/, "")}`;
  return nearest(
    from,
    (layout.named.get(nameOf(path)) ?? []).filter((file) => `/${file}`.endsWith(tail)),
  );
}

function existing({ files }: Layout, homes: readonly string[], path: string): string[] {
  return homes.flatMap((home) => {
    const file = joinPath(home, path);
    return file !== undefined && files.has(file) ? [file] : [];
  });
}

/** Of several files the one that shares most folders with the file that asks; none where two do. */
function nearest(from: string, found: readonly string[]): string | undefined {
  const [first] = found;
  if (found.length < 2) return first;
  const ranked = found.map((file) => ({ file, near: sharedFolders(from, file) })).toSorted((a, b) => b.near - a.near);
  return (ranked[0]?.near ?? 0) > (ranked[1]?.near ?? 0) ? ranked[0]?.file : undefined;
}

function sharedFolders(one: string, other: string): number {
  const [a, b] = [one.split("/"), other.split("/")];
  let count = 0;
  while (count < a.length - 1 && a[count] === b[count]) count += 1;
  return count;
}

/** Whether a file plainly belongs to the tree, though it is not there: its folder does. */
function isOfTree({ folders, homes }: Layout, from: string, path: string): boolean {
  if (/^\.\.?\//.test(path)) return true;
  const folder = folderOf(path);
  return folder !== "" && [folderOf(from), ...homes].some((home) => folders.has(joinPath(home, folder) ?? ""));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
