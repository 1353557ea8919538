import type { ModuleResolver, ModuleTree, Resolution } from "../module-resolver.js";
import { folderOf, joinPath, stemOf } from "../../tree/paths.js";
import { requiredAs } from "./required-as.js";

/**
 * Tells which file of the tree is required. Which folders are searched is said where a program is started; by custom these are
 * `lib`, and `spec` or `test` where tests run. Of several files the one nearest to who asks counts.
 */
export function createRubyResolver({ files }: ModuleTree): ModuleResolver {
  const byName = new Map<string, string[]>();
  for (const file of files) {
    const name = requiredAs(file);
    if (name !== undefined) byName.set(name, [...(byName.get(name) ?? []), file]);
  }
  return {
    resolve(from, specifier): Resolution {
      const path = specifier.replace(/\.rb$/, "");
      if (path.startsWith(".")) return findBeside(files, from, path);
      const stems = [`*/${path}`];
      const found = byName.get(path) ?? [];
      const file = found.toSorted((a, b) => shared(b, from) - shared(a, from) || a.length - b.length)[0];
      return file === undefined ? { stems } : { file, stems };
    },
  };
}

function findBeside(files: ReadonlySet<string>, from: string, path: string): Resolution {
  const beside = joinPath(folderOf(from), path);
  // `require "./a"` begins where the program was started.
  const looked = [beside, joinPath("", path)].filter((one) => one !== undefined);
  const file = looked.flatMap((one) => [`${one}.rb`, one]).find((one) => files.has(one));
  const stems = looked.flatMap((one) => [...new Set([one, stemOf(one)])]);
  if (file !== undefined) return { file, stems };
  return beside === undefined ? { stems } : { stems, isMissing: true };
}

/** How many folders two files share. */
function shared(one: string, other: string): number {
  const [a, b] = [one.split("/"), other.split("/")];
  let count = 0;
  while (count < a.length && a[count] === b[count]) count += 1;
  return count;
}
