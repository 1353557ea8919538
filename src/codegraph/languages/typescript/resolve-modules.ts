import { createPackageResolver } from "./resolve-packages.js";
import { createAliasResolver } from "./resolve-aliases.js";
import type { ModuleResolver, ModuleTree, Resolution } from "../module-resolver.js";
import { ModuleSearch } from "./module-search.js";
import { folderOf, joinPath } from "../../tree/paths.js";

/**
 * Tells which file of the tree a specifier of TypeScript or JavaScript leads to, from the list of files and the texts of
 * the settings alone (`isSettingsFile`). What is asked twice is looked up once, so it holds for one state of the tree.
 */
export function createModuleResolver(tree: ModuleTree): ModuleResolver {
  const packages = createPackageResolver(tree);
  const aliases = createAliasResolver(tree, packages);
  const known = new Map<string, Resolution>();

  return {
    resolve(from, specifier) {
      const key = `${folderOf(from)}\n${specifier}`;
      const answer = known.get(key) ?? resolve(from, specifier);
      known.set(key, answer);
      return answer;
    },
  };

  function resolve(from: string, specifier: string): Resolution {
    const search = new ModuleSearch(tree);
    if (/^\.\.?(?:\/|$)/.test(specifier)) {
      const path = joinPath(folderOf(from), specifier);
      if (path === undefined) return search.answer(undefined, false);
      return search.answer(search.find(path), isCode(specifier));
    }
    // Somewhere on a disk, a URL, `node:fs`, what a bundler makes up.
    if (/^(?:\/|[a-z][a-z-]*:|\0)/.test(specifier)) return search.answer(undefined, false);
    if (specifier.startsWith("#")) {
      const file = packages.findInternal(search, from, specifier) ?? aliases.find(search, from, specifier);
      return search.answer(file, true);
    }
    const file = aliases.find(search, from, specifier) ?? packages.find(search, from, specifier);
    return search.answer(file, packages.isOfTree(specifier));
  }
}

/** Whether module resolution reads this file: its text belongs into the settings of a `ModuleTree`. */
export function isSettingsFile(path: string): boolean {
  return /(?:^|\/)(?:package|[jt]sconfig[^/]*)\.json$/.test(path) && !path.includes("node_modules/");
}

/** Pictures and styles are imported too, and are no modules that could be missing. */
function isCode(specifier: string): boolean {
  return !/\.[a-z0-9]+$/i.test(specifier) || /\.[cm]?[jt]sx?$/.test(specifier);
}
