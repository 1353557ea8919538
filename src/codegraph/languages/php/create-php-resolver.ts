import type { ModuleResolver, ModuleTree, Resolution } from "../module-resolver.js";
import { folderOf, joinPath, stemOf } from "../../tree/paths.js";

/** Tells which file of the tree is required. What is not said to lie beside the file may lie at the root of the tree. */
export function createPhpResolver({ files }: ModuleTree): ModuleResolver {
  return {
    resolve(from, specifier): Resolution {
      const beside = joinPath(folderOf(from), specifier);
      const paths = specifier.startsWith(".") ? [beside] : specifier.startsWith("/") ? [] : [beside, specifier];
      const looked = paths.filter((path) => path !== undefined);
      const file = looked.find((path) => files.has(path));
      const stems = looked.map(stemOf);
      if (file !== undefined) return { file, stems };
      // What is installed is not in the tree.
      const isOfTree = specifier.startsWith(".") && beside !== undefined && !/(?:^|\/)vendor\//.test(beside);
      return isOfTree ? { stems, isMissing: true } : { stems };
    },
  };
}
