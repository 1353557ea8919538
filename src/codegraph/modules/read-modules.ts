import { MemoryError } from "../../base/memory-error.js";
import type { Reader } from "../../storage/storage.js";
import { closeNames } from "../ask/close-names.js";
import type { Tree } from "../codegraph.js";
import { languageOf } from "../languages/language-of.js";
import { isTestFile } from "../languages/is-test-file.js";
import { divide } from "./divide.js";
import { listFileEdges, listNumbers } from "./module-queries.js";
import type { Module } from "./module-types.js";
import { readManifests, type Manifest } from "./read-manifests.js";

/** The modules of a tree, with what is asked about them. */
export interface Modules {
  tree: Tree;
  list: Module[];
  /** The name of the module that a file is in; undefined for what is no source. */
  nameOf: (file: string) => string | undefined;
  manifests: Manifest[];
  /** Every file of the tree, by path, with its number. */
  numbers: ReadonlyMap<string, number>;
  imports: ReadonlyMap<string, readonly string[]>;
  tests: ReadonlyMap<string, readonly string[]>;
}

export async function readModules(reader: Reader, tree: Tree): Promise<Modules> {
  const numbers = await listNumbers(reader, tree);
  const imports = await listFileEdges(reader, tree, "imports");
  const tests = await listFileEdges(reader, tree, "tests");
  const manifests = await readManifests(tree.root, [...numbers.keys()]);
  const list = divide({
    files: [...numbers.keys()].filter((path) => languageOf(path) !== undefined),
    packages: new Map(manifests.map(({ folder, name }) => [folder, name])),
    imports,
    tests,
  });
  const names = new Map(
    list.flatMap(({ name, files, tests: own }) => [...files, ...own].map((file) => [file, name] as const)),
  );
  return { tree, list, nameOf: (file) => names.get(file), manifests, numbers, imports, tests };
}

/** A module, or one with all that its name begins the names of: `codegraph` with `codegraph/ask`. */
export interface Found extends Module {
  /** The modules that it consists of, where they are several. */
  parts: string[];
}

/**
 * The module that a person names: by its name, its folder, its package, a file in it, or the end of its name where that is
 * one. What is not there, or could be several, is refused with what may have been meant.
 */
export function findModule({ list, nameOf }: Pick<Modules, "list" | "nameOf">, wanted: string): Found {
  const given = wanted
    .trim()
    .replace(/^module:/i, "")
    .replace(/^(?:\.\/)+/, "")
    .replace(/(?<=.)\/$/, "");
  const word = given.toLowerCase();
  const named = ofName(list, word) ?? ofName(list, (nameOf(given) ?? "").toLowerCase());
  if (named) return named;
  const place = word === "." ? "" : word;
  const byPlace = list.filter(
    ({ folder, packageName, by }) =>
      by !== "imports" && (folder.toLowerCase() === place || packageName?.toLowerCase() === word),
  );
  const found = byPlace.length > 0 ? byPlace : list.filter(({ name }) => name.toLowerCase().endsWith(`/${word}`));
  const [first] = found;
  const whole =
    first && found.length === 1
      ? ofName(list, first.name.toLowerCase())
      : (ofFolder(list, word) ?? ofSmallFolder(list, given));
  if (whole) return whole;
  throw first ? ambiguous(wanted, found) : notFound(wanted, list);
}

function ofName(list: readonly Module[], word: string): Found | undefined {
  if (word === "") return undefined;
  const parts = list.filter(({ name }) => name.toLowerCase() === word || name.toLowerCase().startsWith(`${word}/`));
  return parts.length === 0
    ? undefined
    : together(
        parts,
        parts.find(({ name }) => name.toLowerCase() === word),
      );
}

function ofFolder(list: readonly Module[], word: string): Found | undefined {
  const parts = word === "" ? [] : list.filter(({ folder }) => `${folder.toLowerCase()}/`.startsWith(`${word}/`));
  return parts.length === 0 ? undefined : together(parts, undefined, parts[0]?.folder.slice(0, word.length));
}

/** A folder that is too small to be a module lies in one. */
function ofSmallFolder(list: readonly Module[], folder: string): Found | undefined {
  const around = list.filter(({ files, tests }) => [...files, ...tests].some((file) => file.startsWith(`${folder}/`)));
  return around.length === 1 ? ofName(list, around[0]?.name.toLowerCase() ?? "") : undefined;
}

function together(parts: readonly Module[], own: Module | undefined, folder?: string): Found {
  const [first] = parts as [Module];
  if (parts.length === 1) return { ...first, parts: [] };
  const name = own?.name ?? folder ?? sharedStart(parts.map((part) => part.name));
  return {
    ...(own ?? { by: "folder", folder: folder ?? sharedStart(parts.map((part) => part.folder)) }),
    name,
    files: parts.flatMap(({ files }) => files).toSorted(),
    tests: parts.flatMap(({ tests }) => tests).toSorted(),
    parts: parts.map((part) => part.name),
  };
}

/** What they all begin with, up to a slash. */
function sharedStart(paths: readonly string[]): string {
  const [first = [], ...rest] = paths.map((path) => path.split("/"));
  const end = first.findIndex((part, at) => rest.some((other) => other[at] !== part));
  return (end < 0 ? first : first.slice(0, end)).join("/");
}

const maxCandidates = 5;

function ambiguous(wanted: string, found: readonly Module[]): MemoryError {
  const names = found.map(({ name }) => name);
  const more = names.length > maxCandidates ? `, or one of ${names.length - maxCandidates} more` : "";
  return new MemoryError(
    "node-not-found",
    `${wanted} could be any of ${names.length} modules.`,
    `Name one of them: ${names.slice(0, maxCandidates).join(", ")}${more}.`,
  );
}

function notFound(wanted: string, list: readonly Module[]): MemoryError {
  const close = closeNames(
    wanted,
    list.map(({ name }) => name),
    maxCandidates,
  );
  return new MemoryError(
    "node-not-found",
    `There is no module ${wanted} in the index.`,
    close.length > 0 ? `Did you mean ${close.join(", ")}?` : "tacit module lists them all.",
  );
}

/** The numbers of files; of those that are gone meanwhile nothing. */
export function numbersOf({ numbers }: Pick<Modules, "numbers">, files: readonly string[]): number[] {
  return files.flatMap((file) => numbers.get(file) ?? []);
}

/** The numbers of every test of the tree. */
export function testNumbers({ numbers }: Pick<Modules, "numbers">): number[] {
  return [...numbers].flatMap(([path, number]) => (isTestFile(path) ? [number] : []));
}
