import { folderOf, joinPath, stemOf } from "../../tree/paths.js";
import type { ModuleTree, ResolveSpace } from "../module-resolver.js";

/** A file as a module, going by where it lies: `src/a/b.rs` is `rust:./src.a.b`. */
export interface FileModule {
  /** The root module of its crate; undefined where its path does not tell. */
  root: string | undefined;
  space: string;
  /** The module around it. */
  outer: string | undefined;
  name: string;
  /** Where the files of its own modules lie. */
  folder: string;
}

/** Files below `src` are one crate; each below `src/bin`, `tests`, `examples` and `benches` is one of its own. */
export function fileModule(path: string): FileModule {
  const parts = stemOf(path).split("/");
  const last = parts.at(-1) ?? "";
  const inSource = parts.lastIndexOf("src", parts.length - 2);
  const apart = parts.findIndex((one, n) => n < parts.length - 1 && /^(?:tests|examples|benches)$/.test(one));
  const isBinary = inSource >= 0 && parts[inSource + 1] === "bin" && parts.length > inSource + 2;
  const rootLength = inSource >= 0 ? inSource + (isBinary ? 3 : 1) : apart >= 0 ? apart + 2 : 0;
  const inner = parts.slice(rootLength);
  const isRoot = (last === "lib" || last === "main") && (inner.length <= 1 || rootLength === 0);
  const isIndex = last === "mod" || isRoot;
  const names = isIndex ? inner.slice(0, -1) : inner;
  const root = `rust:./${parts.slice(0, rootLength).join("/")}`;
  const space = [root, ...names].join(".");
  return {
    root: rootLength > 0 ? root : undefined,
    space,
    outer: names.length > 0 ? [root, ...names.slice(0, -1)].join(".") : undefined,
    name: names.at(-1) ?? "",
    folder: isIndex || names.length === 0 ? folderOf(path) : stemOf(path),
  };
}

interface Package {
  folder: string;
  /** The name by which others use it, and its root module. */
  name: string;
  root: string;
  /** Before 2018 a path in `use` began at the root of the crate. */
  isOld: boolean;
  /** Where other crates lie that it names, by the name it gives them. */
  others: ReadonlyMap<string, string>;
}

/** `rust:name…` is a crate of the tree, told by `Cargo.toml`, or a module that some macro declares. */
export function createSpaceResolver({ files, settings }: ModuleTree): ResolveSpace {
  const packages = [...settings].flatMap(([path, text]) => readPackage(path, text));
  packages.sort((a, b) => b.folder.length - a.folder.length);
  return (from, space) => {
    if (space.startsWith("rust:./")) return space;
    const [, name = "", rest = ""] = /^rust:([^.!]*)(.*)$/.exec(space) ?? [];
    if (name === "") return undefined;
    const home = name === "crate" ? rootAbove(files, from) : findCrate(files, packages, from, name);
    return home === undefined ? undefined : home + rest;
  };
}

function findCrate(
  files: ReadonlySet<string>,
  packages: readonly Package[],
  from: string,
  name: string,
): string | undefined {
  const own = packages.find(({ folder }) => folder === "" || from.startsWith(`${folder}/`));
  const { root, space, folder } = fileModule(from);
  if (space !== root && hasModule(files, folder, name)) return `${space}.${name}`;
  const path = own?.others.get(name);
  const other = path === undefined ? undefined : packages.find((one) => one.folder === path);
  const found = other ?? (own?.name === name ? own : packages.find((one) => one.name === name));
  if (found) return found.root;
  const isOld = own?.isOld && root !== undefined && hasModule(files, root.slice("rust:./".length), name);
  return isOld ? `${root}.${name}` : undefined;
}

function hasModule(files: ReadonlySet<string>, folder: string, name: string): boolean {
  const path = folder === "" ? name : `${folder}/${name}`;
  return files.has(`${path}.rs`) || files.has(`${path}/mod.rs`);
}

/** The root of a crate that lies in no folder by which it could be told. */
function rootAbove(files: ReadonlySet<string>, from: string): string | undefined {
  for (let folder = folderOf(from); ; folder = folderOf(folder)) {
    const start = folder === "" ? "" : `${folder}/`;
    const root = [`${start}lib.rs`, `${start}main.rs`].find((path) => files.has(path));
    if (root !== undefined) return fileModule(root).space;
    if (folder === "") return undefined;
  }
}

function readPackage(path: string, text: string): Package[] {
  const name = valueIn(sectionOf(text, "package"), "name");
  if (!path.endsWith("Cargo.toml") || name === undefined) return [];
  const folder = folderOf(path);
  const library = sectionOf(text, "lib");
  const root = joinPath(folder, valueIn(library, "path") ?? "src/lib.rs");
  const edition = valueIn(sectionOf(text, "package"), "edition");
  if (root === undefined) return [];
  return [
    {
      folder,
      name: (valueIn(library, "name") ?? name).replaceAll("-", "_"),
      root: fileModule(root).space,
      isOld: edition === "2015" || (edition === undefined && !/^\s*edition\b/m.test(sectionOf(text, "package"))),
      others: new Map(
        [...text.matchAll(/^\s*"?([\w-]+)"?\s*=\s*\{[^}\n]*\bpath\s*=\s*"([^"\n]+)"/gm)].flatMap(
          ([, key = "", where = ""]) => {
            const at = joinPath(folder, where);
            return at === undefined ? [] : [[key.replaceAll("-", "_"), at] as const];
          },
        ),
      ),
    },
  ];
}

/** The lines of a table of a TOML file, as far as its own keys go. */
function sectionOf(text: string, name: string): string {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.trim().startsWith(`[${name}]`));
  if (start < 0) return "";
  const end = lines.findIndex((line, n) => n > start && line.trimStart().startsWith("["));
  return lines.slice(start + 1, end < 0 ? undefined : end).join("\n");
}

function valueIn(section: string, key: string): string | undefined {
  return new RegExp(`^\\s*${key}\\s*=\\s*["']([^"'\\n]+)["']`, "m").exec(section)?.[1];
}
