import { createPackageResolver } from "./resolve-packages.js";
import { ModuleSearch } from "./module-search.js";
import type { ManifestTarget } from "../language-layout.js";

/** The file that a package.json means by a target. What is built is looked for where it was built from. */
export function findManifestTarget(
  { target, as }: ManifestTarget,
  folder: string,
  files: ReadonlySet<string>,
): string | undefined {
  if (as === "script") return undefined;
  const manifest = `${folder === "" ? "" : `${folder}/`}package.json`;
  // Under a name of its own: for that of the package itself, the index would be looked for as well.
  const exports = { "./0": target.startsWith(".") ? target : `./${target}` };
  const tree = { files, settings: new Map([[manifest, JSON.stringify({ name: "it", exports })]]) };
  return createPackageResolver(tree).find(new ModuleSearch(tree), manifest, "it/0");
}
