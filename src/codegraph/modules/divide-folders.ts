import { folderOf } from "../tree/paths.js";
import { divideByImports } from "./divide-by-imports.js";
import { gatherBy } from "./gather-by.js";
import { leastFiles, maxFiles, type DividedTree, type ModuleDraft } from "./module-draft.js";

// What lies around the code and says nothing of it, as long as everything above it is of that kind, too.
const around = new Set(
  "src source sources lib libs app apps pkg packages crates cmd internal main java kotlin scala python js ts".split(
    " ",
  ),
);
const domains = new Set("com org net io dev edu gov de uk fr me".split(" "));

/** Divides the sources: packages first, then folders, then what imports hold together. */
export function divideFolders(
  sources: readonly string[],
  tree: Pick<DividedTree, "packages" | "imports">,
): ModuleDraft[] {
  const packages = new Set(["", ...tree.packages.keys()]);
  const byPackage = gatherBy(sources, (file) => ownerOf(file, packages));
  return [...byPackage].flatMap(([folder, files]) =>
    dividePackage({ folder, name: tree.packages.get(folder) }, files, tree.imports),
  );
}

function ownerOf(file: string, packages: ReadonlySet<string>): string {
  let folder = folderOf(file);
  while (!packages.has(folder)) folder = folderOf(folder);
  return folder;
}

interface Package {
  folder: string;
  name: string | undefined;
}

function dividePackage(owner: Package, files: readonly string[], imports: DividedTree["imports"]): ModuleDraft[] {
  const name = nameOfPackage(owner);
  const whole = {
    name,
    folder: owner.folder,
    by: owner.folder === "" && owner.name === undefined ? ("folder" as const) : ("package" as const),
    ...(owner.name !== undefined && { packageName: owner.name }),
  };
  // In a workspace a package is what people name; what has none beside it is a program, and they name its folders.
  if (owner.folder !== "" && files.length <= maxFiles) return [{ ...whole, files: [...files] }];
  const parts: ModuleDraft[] = [];
  const loose = new Map<string, string[]>();
  const visit = (folder: string, inside: readonly string[]): void => {
    const { own, children } = split(folder, inside);
    loose.set(folder, own);
    for (const [child, below] of children) {
      if (isAround(child, owner)) visit(child, below);
      else if (below.length < leastFiles) own.push(...below);
      else parts.push(...divideFolder(child, folder, owner, below, imports));
    }
  };
  visit(owner.folder, files);
  const named = owner.name === undefined ? takeNamed(loose, owner.folder) : [];
  const rest = { ...whole, files: [...loose.values()].flat() };
  return [...[rest, ...named].flatMap((part) => divideByImports(part, imports)), ...parts];
}

/** Where nothing names the package, the files that lie in `src` or `lib` are called by that. */
function takeNamed(loose: Map<string, string[]>, root: string): ModuleDraft[] {
  return [...loose].flatMap(([folder, files]): ModuleDraft[] => {
    if (folder === root || files.length < leastFiles) return [];
    loose.delete(folder);
    return [{ name: folder, folder, by: "folder", files }];
  });
}

function divideFolder(
  folder: string,
  root: string,
  owner: Package,
  files: readonly string[],
  imports: DividedTree["imports"],
): ModuleDraft[] {
  const inside = root === "" ? folder : folder.slice(root.length + 1);
  const part = {
    name: owner.folder === "" ? inside : `${nameOfPackage(owner)}/${inside}`,
    folder,
    by: "folder" as const,
  };
  if (files.length <= maxFiles) return [{ ...part, files: [...files] }];
  const { own, children } = split(folder, files);
  const large = children.filter(([, below]) => below.length >= leastFiles);
  const loose = [...own, ...children.filter(([, below]) => below.length < leastFiles).flatMap(([, below]) => below)];
  return [
    ...divideByImports({ ...part, files: loose }, imports),
    ...large.flatMap(([child, below]) => divideFolder(child, root, owner, below, imports)),
  ];
}

/** The files that lie in a folder itself, and for each folder in it those below. */
function split(folder: string, files: readonly string[]): { own: string[]; children: [string, string[]][] } {
  const begin = folder === "" ? 0 : folder.length + 1;
  const isOwn = (file: string) => file.indexOf("/", begin) < 0;
  const below = files.filter((file) => !isOwn(file));
  return {
    own: files.filter(isOwn),
    children: [...gatherBy(below, (file) => file.slice(0, file.indexOf("/", begin)))],
  };
}

/** `src`, `src/main/java`, `com/company` behind it, and the folder that is called as its package. */
function isAround(folder: string, { folder: root, name }: Package): boolean {
  const parts = (root === "" ? folder : folder.slice(root.length + 1)).split("/");
  const last = parts.at(-1)?.toLowerCase() ?? "";
  if (around.has(last) || (name !== undefined && last === plainName(name))) return true;
  return parts.length > 1 && (domains.has(last) || domains.has(parts.at(-2)?.toLowerCase() ?? ""));
}

/** `@acme/core-api` and `github.com/acme/core-api` are both `core-api`; where nothing says it, the folder's name. */
function nameOfPackage({ folder, name }: Package): string {
  if (folder === "") return name === undefined ? "." : lastOf(name);
  const parts = folder.split("/");
  while (parts.length > 1 && around.has(parts[0]?.toLowerCase() ?? "")) parts.shift();
  return parts.join("/");
}

function plainName(name: string): string {
  return lastOf(name).toLowerCase().replaceAll("-", "_");
}

/** The last part; of a Go module that is not its version. */
function lastOf(name: string): string {
  const plain = name.replace(/\/v\d+$/, "");
  return plain.slice(plain.lastIndexOf("/") + 1);
}
