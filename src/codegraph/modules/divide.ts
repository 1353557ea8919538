import { isTestFile } from "../languages/is-test-file.js";
import { folderOf } from "../tree/paths.js";
import { divideFolders } from "./divide-folders.js";
import { gatherBy } from "./gather-by.js";
import type { Module } from "./module-types.js";
import type { DividedTree, ModuleDraft } from "./module-draft.js";
import { placeTests } from "./place-tests.js";

/**
 * The modules of a tree, by name. Each source file is in exactly one, and the same tree has the same modules. A file more or
 * less concerns the module it is in, and its neighbours where that becomes too small or too large to be one: of 244 files of
 * this repository, each left out by itself, 226 changed the name of no other file's module, and one at most 15 (2026-11).
 *
 * @example
 * divide({ files: ["src/auth/login.ts", …], … }) // [{ name: "auth", folder: "src/auth", by: "folder", … }]
 */
export function divide(tree: DividedTree): Module[] {
  const files = [...new Set(tree.files)].toSorted();
  const sources = files.filter((file) => !isTestFile(file));
  const parts = divideFolders(sources, tree);
  const { placed, rest } = placeTests(
    files.filter((file) => isTestFile(file)),
    parts,
    tree.tests,
  );
  const all = [...parts, ...groupRest(rest)];
  const names = namesOf(all);
  return all
    .map((part, at) => ({
      name: names[at] ?? part.folder,
      folder: part.folder,
      by: part.by,
      files: part.files.toSorted(),
      tests: (placed.get(part) ?? []).toSorted(),
      ...(part.packageName !== undefined && { packageName: part.packageName }),
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Tests that belong to no module: what helps them, and those that take the whole program. By their first folder. */
function groupRest(tests: readonly string[]): ModuleDraft[] {
  const groups = gatherBy(
    tests,
    (test) => /^.*?(?:^|\/)(?:__tests__|tests?|spec)(?=\/)/.exec(test)?.[0] ?? folderOf(test),
  );
  return [...groups].map(([folder, files]) => ({ name: folder || ".", folder, by: "folder", files }));
}

/** The short names, and where two have the same, the whole folders of both; a cluster keeps what it is called in its folder. */
function namesOf(parts: readonly ModuleDraft[]): string[] {
  const counts = new Map<string, number>();
  for (const { name } of parts) counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1);
  const names = parts.map(({ name, folder, cluster }) => {
    if (counts.get(name.toLowerCase()) === 1) return name;
    return cluster === undefined ? folder || "." : `${folder || "."}/${cluster}`;
  });
  // A folder may be called as another one's short name.
  const seen = new Map<string, number>();
  return names.map((name) => {
    const before = seen.get(name.toLowerCase()) ?? 0;
    seen.set(name.toLowerCase(), before + 1);
    return before === 0 ? name : `${name}~${before + 1}`;
  });
}
