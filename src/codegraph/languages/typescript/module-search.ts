import type { ModuleTree, Resolution } from "../module-resolver.js";

// As TypeScript tries them, then what bundlers add.
const bare = [".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs", ".d.mts", ".d.cts", ".json"];
// What a specifier that names the output may have been written as.
const written: Record<string, readonly string[]> = {
  ".js": [".ts", ".tsx", ".d.ts", ".js", ".jsx"],
  ".jsx": [".tsx", ".ts", ".d.ts", ".jsx"],
  ".mjs": [".mts", ".d.mts", ".mjs"],
  ".cjs": [".cts", ".d.cts", ".cjs"],
  ".ts": [".ts"],
  ".tsx": [".tsx"],
  ".mts": [".mts"],
  ".cts": [".cts"],
  ".json": [".json"],
};

/** One look for a file, which notes where it looked. */
export class ModuleSearch {
  readonly #tree: ModuleTree;
  readonly #stems = new Set<string>();

  constructor(tree: ModuleTree) {
    this.#tree = tree;
  }

  /** The file that a path of a specifier means: itself, with another extension, or the index of a folder. */
  find(path: string): string | undefined {
    const extension = /(?:\.d)?\.[cm]?[jt]s(?:x|on)?$/.exec(path)?.[0] ?? "";
    if (extension.startsWith(".d.")) return this.#first(path.slice(0, -extension.length), [extension]);
    const sources = written[extension];
    const found = sources && this.#first(path.slice(0, -extension.length), sources);
    return found ?? this.findStem(path);
  }

  /** The file that a path without extension means. */
  findStem(path: string): string | undefined {
    return (
      (path === "" ? undefined : this.#first(path, bare)) ?? this.#first(path === "" ? "index" : `${path}/index`, bare)
    );
  }

  #first(stem: string, extensions: readonly string[]): string | undefined {
    // An index answers to its folder too, which was looked at before it.
    this.#stems.add(stem.endsWith("/index") ? stem.slice(0, -"/index".length) : stem);
    const extension = extensions.find((end) => this.#tree.files.has(stem + end));
    return extension === undefined ? undefined : stem + extension;
  }

  answer(file: string | undefined, isOfTree: boolean): Resolution {
    const stems = [...this.#stems];
    if (file !== undefined) return { file, stems };
    return isOfTree ? { stems, isMissing: true } : { stems };
  }
}
