import { stemOf } from "../tree/paths.js";
import { findClusters, type Ties } from "./find-clusters.js";
import { leastFiles, type DividedTree, type ModuleDraft } from "./module-draft.js";

// Up to so many files in one folder people call them by the folder: the four folders of 41 to 80 here would fall into 26 clusters with
// names such as `building-types`, which nobody would look for (2026-11).
const maxTogether = 80;

/**
 * A folder of too many files as what imports hold together, each named after its most central file. What is tied to none of
 * them keeps the folder's name. A folder whose imports show no groups stays whole, however large.
 *
 * Tried on rooms of this repository as if each were one flat folder: the 150 files of `codegraph` fall into nine clusters, of which
 * six have 85 to 100 % of their files from one of its folders; one file less gives 5 % of the others another name, and 7 %
 * of the 178 of `observer`. `conversation` shows no groups (2026-11).
 */
export function divideByImports(part: ModuleDraft, imports: DividedTree["imports"]): ModuleDraft[] {
  if (part.files.length === 0) return [];
  const files = part.files.toSorted();
  if (files.length <= maxTogether) return [{ ...part, files }];
  const targets = importsAmong(files, imports);
  const importers = countImporters(files, targets);
  const clusters = (findClusters(tiesOf(targets, importers)) ?? []).filter(({ length }) => length >= leastFiles);
  if (clusters.length < 2) return [{ ...part, files }];
  const named = clusters.map((places) => {
    const inside = new Set(places);
    const central = places.toSorted(
      (a, b) => countFrom(inside, targets, b) - countFrom(inside, targets, a) || a - b,
    )[0];
    const stem = stemOf(files[central ?? 0] ?? "");
    const cluster = stem.slice(stem.lastIndexOf("/") + 1);
    return {
      name: `${part.name}/${cluster}`,
      folder: part.folder,
      by: "imports" as const,
      files: places.map((place) => files[place] ?? ""),
      cluster,
    };
  });
  const taken = new Set(clusters.flat());
  const rest = files.filter((_, place) => !taken.has(place));
  return rest.length === 0 ? named : [{ ...part, files: rest }, ...named];
}

function importsAmong(files: readonly string[], imports: DividedTree["imports"]): Set<number>[] {
  const places = new Map(files.map((file, place) => [file, place]));
  return files.map((file, place) => {
    const found = (imports.get(file) ?? []).flatMap((target) => places.get(target) ?? []);
    return new Set(found.filter((target) => target !== place));
  });
}

function countImporters(files: readonly string[], targets: readonly ReadonlySet<number>[]): number[] {
  const counts = files.map(() => 0);
  for (const row of targets) for (const target of row) counts[target] = (counts[target] ?? 0) + 1;
  return counts;
}

/** Both ways. What every other file imports says little of which of them belong together. */
function tiesOf(targets: readonly ReadonlySet<number>[], importers: readonly number[]): Ties {
  const ties = targets.map(() => new Map<number, number>());
  targets.forEach((row, from) => {
    for (const to of row) {
      const weight = 1 / (1 + Math.log2(importers[to] ?? 1));
      ties[from]?.set(to, (ties[from]?.get(to) ?? 0) + weight);
      ties[to]?.set(from, (ties[to]?.get(from) ?? 0) + weight);
    }
  });
  return ties;
}

function countFrom(inside: ReadonlySet<number>, targets: readonly ReadonlySet<number>[], place: number): number {
  let count = 0;
  for (const from of inside) if (targets[from]?.has(place)) count += 1;
  return count;
}
