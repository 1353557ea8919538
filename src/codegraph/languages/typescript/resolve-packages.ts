import type { ModuleTree } from "../module-resolver.js";
import { asObject, parseJsonc } from "./parse-jsonc.js";
import { folderOf, joinPath } from "../../tree/paths.js";
import type { ModuleSearch } from "./module-search.js";

/** Finds modules through the package.json files of a tree. */
export interface PackageResolver {
  /** `@scope/name/part`, where a package of that name is in the tree. */
  find(search: ModuleSearch, from: string, specifier: string): string | undefined;
  /** `#part`, by the `imports` of the package that the file belongs to. */
  findInternal(search: ModuleSearch, from: string, specifier: string): string | undefined;
  isOfTree(specifier: string): boolean;
  /** Where the package of a specifier lies, and what follows its name. */
  folderOfPackage(specifier: string): { folder: string; part: string } | undefined;
}

interface Package {
  folder: string;
  manifest: Record<string, unknown>;
}

export function createPackageResolver(tree: ModuleTree): PackageResolver {
  const byFolder = new Map<string, Package>();
  const byName = new Map<string, Package[]>();
  for (const [path, text] of tree.settings) {
    if (!/(?:^|\/)package\.json$/.test(path)) continue;
    const manifest = parseJsonc(text);
    if (!manifest) continue;
    const found = { folder: folderOf(path), manifest };
    byFolder.set(found.folder, found);
    const { name } = manifest;
    if (typeof name === "string" && name !== "") byName.set(name, [...(byName.get(name) ?? []), found]);
  }

  return {
    find(search, from, specifier) {
      const { name, part } = splitSpecifier(specifier);
      const candidates = byName.get(name) ?? [];
      for (const one of nearestFirst(candidates, from)) {
        const file = findPart(search, one, part);
        if (file !== undefined) return file;
      }
      return undefined;
    },
    findInternal(search, from, specifier) {
      const owner = ownerOf(from);
      const imports = asObject(owner?.manifest.imports);
      if (!owner || !imports) return undefined;
      for (const target of targetsFor(imports, specifier)) {
        const file = target.startsWith(".") ? findTarget(search, owner, target) : this.find(search, from, target);
        if (file !== undefined) return file;
      }
      return undefined;
    },
    isOfTree: (specifier) => byName.has(splitSpecifier(specifier).name),
    folderOfPackage(specifier) {
      const { name, part } = splitSpecifier(specifier);
      const folder = byName.get(name)?.[0]?.folder;
      return folder === undefined ? undefined : { folder, part };
    },
  };

  function ownerOf(file: string): Package | undefined {
    for (let folder = folderOf(file); ; folder = folderOf(folder)) {
      const found = byFolder.get(folder);
      if (found || folder === "") return found;
    }
  }
}

function splitSpecifier(specifier: string): { name: string; part: string } {
  const parts = specifier.split("/");
  const count = specifier.startsWith("@") ? 2 : 1;
  return { name: parts.slice(0, count).join("/"), part: parts.slice(count).join("/") };
}

/** Fixtures tend to repeat names; the package that shares most of its path with the file is meant. */
function nearestFirst(packages: readonly Package[], from: string): readonly Package[] {
  if (packages.length < 2) return packages;
  const shared = (folder: string) => {
    const [a, b] = [folder.split("/"), from.split("/")];
    const end = a.findIndex((part, i) => part !== b[i]);
    return end < 0 ? a.length : end;
  };
  return packages.toSorted((a, b) => shared(b.folder) - shared(a.folder) || a.folder.length - b.folder.length);
}

function findPart(search: ModuleSearch, one: Package, part: string): string | undefined {
  const { exports, source, module, main, types, typings } = one.manifest;
  const key = part === "" ? "." : `./${part}`;
  const targets = exports === undefined ? [] : targetsFor(asMap(exports), key);
  if (part === "") targets.push(...[source, types, typings, module, main].filter((value) => typeof value === "string"));
  return (
    firstOf(targets, (target) => findWritten(search, one, target)) ??
    firstOf(targets, (target) => findSource(search, one, target)) ??
    // Exports that a build writes are not there yet.
    firstOf(part === "" ? ["src/index", "index", "src"] : [part, `src/${part}`], (path) => findIn(search, one, path))
  );
}

function findTarget(search: ModuleSearch, one: Package, target: string): string | undefined {
  return findWritten(search, one, target) ?? findSource(search, one, target);
}

/** The file itself, if it is in the tree and no more than the declarations of one. */
function findWritten(search: ModuleSearch, one: Package, target: string): string | undefined {
  if (isOutput(target)) return undefined;
  return findIn(search, one, target);
}

const outputs =
  /^(?:dist|lib|build|out|output|esm|cjs|es|umd|types|dts|module|commonjs|node|browser|_?esm\d+|prod|dev|bundle|bundles|release|target|\.build)$/;

function isOutput(target: string): boolean {
  return outputs.test(target.replace(/^\.\//, "").split("/")[0] ?? "");
}

/** What an output was built from: `dist/esm/a.mjs` from `src/a.ts`, `a.ts` or the like. */
function findSource(search: ModuleSearch, one: Package, target: string): string | undefined {
  const parts = target.replace(/^\.\//, "").split("/");
  // An output that is in the tree, as lib/ may be, is its own source.
  const own = findIn(search, one, parts.join("/"));
  if (own !== undefined) return own;
  for (let start = 1; start < parts.length && outputs.test(parts[start - 1] ?? ""); start += 1) {
    const rest = parts
      .slice(start)
      .join("/")
      .replace(/(?:\.d)?\.[cm]?[jt]sx?$/, "");
    const found =
      firstOf(["src/", "", "source/", "lib/", "ts/"], (folder) => findIn(search, one, folder + rest)) ??
      // `dist/bin.cjs` of `src/bin/index.ts` is found above; `dist/part.min.js` here.
      (/\.(?:min|prod|dev|esm|cjs|umd|bundle|global|browser)$/.test(rest)
        ? findIn(search, one, `src/${rest.replace(/\.[a-z]+$/, "")}`)
        : undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findIn(search: ModuleSearch, { folder }: Package, path: string): string | undefined {
  const joined = joinPath(folder, path);
  return joined === undefined ? undefined : search.find(joined);
}

/** What `exports` or `imports` say of a key. */
function targetsFor(map: Record<string, unknown>, key: string): string[] {
  if (Object.hasOwn(map, key)) return leaves(map[key]);
  // The longest pattern that fits.
  const patterns = Object.keys(map)
    .filter((pattern) => pattern.includes("*"))
    .toSorted((a, b) => b.indexOf("*") - a.indexOf("*"));
  for (const pattern of patterns) {
    const [before = "", after = ""] = pattern.split("*");
    if (key.length < pattern.length - 1 || !key.startsWith(before) || !key.endsWith(after)) continue;
    const rest = key.slice(before.length, key.length - after.length);
    return leaves(map[pattern]).map((target) => target.replaceAll("*", rest));
  }
  return [];
}

// What a compiler that reads types asks for. Behind other conditions stand builds for other places, and sometimes the source.
const usual = new Set(["types", "import", "default"]);

/** Every target, those under the usual conditions first. */
function leaves(value: unknown): string[] {
  return [...new Set([...leavesUnder(value, usual, 0), ...leavesUnder(value, undefined, 0)])];
}

function leavesUnder(value: unknown, conditions: ReadonlySet<string> | undefined, depth: number): string[] {
  if (typeof value === "string") return [value];
  if (depth > 8 || typeof value !== "object" || value === null) return [];
  const isOpen = conditions === undefined || Array.isArray(value);
  return Object.entries(value).flatMap(([condition, inner]) =>
    isOpen || conditions.has(condition) ? leavesUnder(inner, conditions, depth + 1) : [],
  );
}

/** `exports` may be one target for the package itself. */
function asMap(exports: unknown): Record<string, unknown> {
  const object = Array.isArray(exports) ? undefined : asObject(exports);
  return object && Object.keys(object).some((key) => key.startsWith(".")) ? object : { ".": exports };
}

export function firstOf<T, R>(values: readonly T[], find: (value: T) => R | undefined): R | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}
