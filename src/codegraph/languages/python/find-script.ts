import type { ManifestTarget } from "../language-layout.js";

/** `shop.cli:main` is in `shop/cli.py`, below the folder of the manifest or its `src`. */
export function findScript(
  { target, as }: ManifestTarget,
  folder: string,
  files: ReadonlySet<string>,
): string | undefined {
  if (as !== "script") return undefined;
  const path = (target.split(":")[0] ?? "").replaceAll(".", "/");
  const roots = folder === "" ? ["", "src/"] : [`${folder}/`, `${folder}/src/`];
  return roots.flatMap((root) => [`${root}${path}.py`, `${root}${path}/__init__.py`]).find((file) => files.has(file));
}
