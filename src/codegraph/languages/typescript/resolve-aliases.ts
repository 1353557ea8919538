import { firstOf, type PackageResolver } from "./resolve-packages.js";
import type { ModuleTree } from "../module-resolver.js";
import { asObject, parseJsonc } from "./parse-jsonc.js";
import { folderOf, joinPath } from "../../tree/paths.js";
import type { ModuleSearch } from "./module-search.js";

/** Finds modules through `paths` and `baseUrl` of the tsconfig files of a tree. */
export interface AliasResolver {
  find(search: ModuleSearch, from: string, specifier: string): string | undefined;
}

interface Aliases {
  /** Folder from which bare specifiers are looked for. */
  base?: string;
  paths: readonly { before: string; after: string; isExact: boolean; targets: readonly string[] }[];
}

export function createAliasResolver(tree: ModuleTree, packages: PackageResolver): AliasResolver {
  const configsByFolder = new Map<string, string[]>();
  for (const path of tree.settings.keys()) {
    if (!/(?:^|\/)[jt]sconfig[^/]*\.json$/.test(path)) continue;
    const folder = folderOf(path);
    configsByFolder.set(folder, [...(configsByFolder.get(folder) ?? []), path]);
  }
  // tsconfig.json before tsconfig.build.json and the rest, which count where it says nothing.
  for (const paths of configsByFolder.values()) paths.sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  const known = new Map<string, readonly Aliases[]>();

  return {
    find: (search, from, specifier) =>
      firstOf(aliasesFor(folderOf(from)), (aliases) => findBy(aliases, search, specifier)),
  };

  /** What counts in a folder: its own configurations, then those of the folders above. */
  function aliasesFor(folder: string): readonly Aliases[] {
    const cached = known.get(folder);
    if (cached) return cached;
    const own = (configsByFolder.get(folder) ?? []).flatMap((path) => readWithReferences(path));
    const above = folder === "" ? [] : aliasesFor(folderOf(folder));
    const all = own.length === 0 ? above : [...own, ...above];
    known.set(folder, all);
    return all;
  }

  function readWithReferences(path: string): Aliases[] {
    const references = asList(read(path)?.references).flatMap((one) => {
      const target = asObject(one)?.path;
      const joined = typeof target === "string" ? joinPath(folderOf(path), target) : undefined;
      if (joined === undefined) return [];
      return joined.endsWith(".json") ? [joined] : [`${joined}/tsconfig.json`];
    });
    // What a solution refers to elsewhere concerns the files there.
    const near = references.filter((other) => folderOf(other) === folderOf(path));
    return [path, ...near].flatMap((one) => aliasesIn(one) ?? []);
  }

  function aliasesIn(path: string): Aliases | undefined {
    const { baseUrl, paths } = settingsOf(path, 0);
    const base = baseUrl && joinPath(baseUrl.folder, baseUrl.value);
    if (base === undefined && !paths) return undefined;
    const from = base ?? paths?.folder ?? "";
    return {
      ...(base !== undefined && { base }),
      paths: Object.entries(paths?.value ?? {}).map(([pattern, targets]) => {
        const [before = "", after = ""] = pattern.split("*");
        const joined = asList(targets).flatMap((target) =>
          typeof target === "string" ? (inTree(joinPath(from, target.replace("${configDir}", "."))) ?? []) : [],
        );
        return { before, after, isExact: !pattern.includes("*"), targets: joined };
      }),
    };
  }

  /** What a workspace links into node_modules/ lies elsewhere in the tree. */
  function inTree(path: string | undefined): string | undefined {
    const specifier = path === undefined ? undefined : /(?:^|\/)node_modules\/(.+)$/.exec(path)?.[1];
    const linked = specifier === undefined ? undefined : packages.folderOfPackage(specifier);
    return linked ? joinPath(linked.folder, linked.part) : path;
  }

  /** `baseUrl` and `paths` with the folder of the file that says so, through what it extends. */
  function settingsOf(path: string, depth: number): Settings {
    const config = read(path);
    if (!config || depth > 8) return {};
    const folder = folderOf(path);
    const options = asObject(config.compilerOptions) ?? {};
    const settings: Settings = {};
    for (const parent of asList(config.extends)) {
      const file = typeof parent === "string" ? findConfig(path, parent) : undefined;
      if (file !== undefined) Object.assign(settings, settingsOf(file, depth + 1));
    }
    if (typeof options.baseUrl === "string") settings.baseUrl = { folder, value: options.baseUrl };
    const paths = asObject(options.paths);
    if (paths) settings.paths = { folder, value: paths };
    return settings;
  }

  function findConfig(from: string, specifier: string): string | undefined {
    if (specifier.startsWith(".")) {
      const joined = joinPath(folderOf(from), specifier);
      if (joined === undefined) return undefined;
      return [joined, `${joined}.json`, `${joined}/tsconfig.json`].find((path) => tree.settings.has(path));
    }
    const folder = packages.folderOfPackage(specifier);
    if (!folder) return undefined;
    const joined = joinPath(folder.folder, folder.part) ?? "";
    return [joined, `${joined}.json`, `${joined}/tsconfig.json`].find((path) => tree.settings.has(path));
  }

  function read(path: string): Record<string, unknown> | undefined {
    const text = tree.settings.get(path);
    return text === undefined ? undefined : parseJsonc(text);
  }
}

interface Settings {
  baseUrl?: { folder: string; value: string };
  paths?: { folder: string; value: Record<string, unknown> };
}

function findBy({ base, paths }: Aliases, search: ModuleSearch, specifier: string): string | undefined {
  const fitting = paths
    .filter(({ before, after, isExact }) =>
      isExact
        ? specifier === before
        : specifier.length >= before.length + after.length && specifier.startsWith(before) && specifier.endsWith(after),
    )
    .toSorted((a, b) => Number(b.isExact) - Number(a.isExact) || b.before.length - a.before.length);
  for (const { before, after, targets } of fitting) {
    const rest = specifier.slice(before.length, specifier.length - after.length);
    const found = firstOf(targets, (target) => search.find(target.replace("*", rest)));
    if (found !== undefined) return found;
  }
  if (base === undefined || specifier.startsWith("#")) return undefined;
  return search.find(base === "" ? specifier : `${base}/${specifier}`);
}

function asList(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
