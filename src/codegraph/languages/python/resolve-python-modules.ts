import type { ModuleResolver, Resolution } from "../module-resolver.js";
import { folderOf, joinPath } from "../../tree/paths.js";
import { isStandardModule } from "./standard-modules.js";

/**
 * Tells which file of the tree a Python import leads to, from the list of its files alone. Nothing says from where a
 * program is started, so every folder is tried that could be on its path; what of them all is nearest to the importing
 * file counts first. Holds for one state of the tree.
 */
export function createPythonResolver(tree: { files: ReadonlySet<string> }): ModuleResolver {
  const layout = layOut(tree.files);
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
  /** Every folder that holds Python somewhere below it. */
  folders: Set<string>;
  /** Folders that are installed or started from, and their `src`. */
  projects: string[];
  /** Folders that hold packages and are in none themselves, by the names of these packages. */
  homes: Map<string, string[]>;
}

function layOut(files: ReadonlySet<string>): Layout {
  const layout: Layout = { files, folders: new Set(), projects: [], homes: new Map() };
  const projects = new Set<string>();
  for (const file of files) {
    const folder = folderOf(file);
    if (/(^|\/)(pyproject\.toml|setup\.py|setup\.cfg)$/.test(file)) projects.add(folder);
    if (!/\.pyi?$/.test(file)) continue;
    for (let above = folder; above !== "" && !layout.folders.has(above); above = folderOf(above))
      layout.folders.add(above);
    if (/(^|\/)__init__\.pyi?$/.test(file) && folder !== "" && !isPackage(layout, folderOf(folder))) {
      const name = folder.slice(folder.lastIndexOf("/") + 1);
      layout.homes.set(name, [...(layout.homes.get(name) ?? []), folderOf(folder)]);
    }
  }
  projects.add("");
  layout.projects = [...projects].flatMap((folder) => [pathOf(folder, ["src"]), folder]);
  return layout;
}

function resolve(layout: Layout, from: string, specifier: string): Resolution {
  const [, dots = "", dotted = ""] = /^(\.*)(.*)$/.exec(specifier) ?? [];
  const names = dotted === "" ? [] : dotted.split(".");
  return dots === "" ? findAbsolute(layout, from, names) : findRelative(layout, from, dots.length, names);
}

function findRelative(layout: Layout, from: string, dots: number, names: string[]): Resolution {
  let folder = folderOf(from);
  for (let up = 1; up < dots; up += 1) {
    if (folder === "") return { stems: [] };
    folder = folderOf(folder);
  }
  const path = pathOf(folder, names);
  const file = findModule(layout, path);
  if (file !== undefined) return { file, stems: [path] };
  // A package without __init__.py is there all the same.
  return names.length === 0 || layout.folders.has(path) ? { stems: [path] } : { stems: [path], isMissing: true };
}

function findAbsolute(layout: Layout, from: string, names: string[]): Resolution {
  const [first = ""] = names;
  const stems = new Set<string>();
  const look = (path: string): string | undefined => {
    stems.add(path);
    return findModule(layout, path);
  };
  // Where it begins depends on which of the folders above are packages, and on what package of that name lies elsewhere.
  for (let folder = folderOf(from); folder !== ""; folder = folderOf(folder)) stems.add(folder);
  stems.add(`*/${first}`);
  const own = homeOf(layout, from);
  const places = isStandardModule(first) ? [own] : placesFor(layout, from, own, first);
  for (const place of places) {
    if (look(pathOf(place, [first])) === undefined) continue;
    const file = look(pathOf(place, names));
    return file === undefined ? { stems: [...stems], isMissing: true } : { file, stems: [...stems] };
  }
  if (isStandardModule(first)) return { stems: [...stems] };
  // Packages without __init__.py may be spread over several places.
  const isThere = places.some((place) => layout.folders.has(pathOf(place, [first])));
  for (const place of isThere && names.length > 1 ? places : []) {
    const file = look(pathOf(place, names));
    if (file !== undefined) return { file, stems: [...stems] };
  }
  return { stems: [...stems] };
}

/** Where an absolute import of a file may begin, the likeliest first. */
function placesFor(layout: Layout, from: string, own: string, name: string): string[] {
  const above = [];
  for (let folder = folderOf(from); folder !== ""; folder = folderOf(folder)) {
    if (!isPackage(layout, folder)) above.push(folder);
  }
  const isAround = (project: string) => project === "" || from.startsWith(`${project.replace(/(^|\/)src$/, "")}/`);
  const projects = layout.projects.toSorted((a, b) => Number(isAround(b)) - Number(isAround(a)) || b.length - a.length);
  return [...new Set([own, ...projects, ...above, ...(layout.homes.get(name) ?? [])])];
}

/** The folder that the outermost package of a file is in; its own folder where it is in none. */
function homeOf(layout: Layout, file: string): string {
  let folder = folderOf(file);
  while (folder !== "" && isPackage(layout, folder)) folder = folderOf(folder);
  return folder;
}

function isPackage({ files }: Layout, folder: string): boolean {
  return files.has(pathOf(folder, ["__init__.py"])) || files.has(pathOf(folder, ["__init__.pyi"]));
}

/** The file of a module: a package before a module of its name, what runs before what only states types. */
function findModule({ files }: Layout, path: string): string | undefined {
  const inside = pathOf(path, ["__init__"]);
  return [`${inside}.py`, `${path}.py`, `${inside}.pyi`, `${path}.pyi`].find((file) => files.has(file));
}

/** Names hold no dots, so they never lead out of the tree. */
function pathOf(folder: string, names: readonly string[]): string {
  return joinPath(folder, names.join("/")) ?? folder;
}
