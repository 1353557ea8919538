import { dirname, isAbsolute, join, relative, resolve } from "node:path";

/** The compiled module of a source: `src/a/b.ts` is `build/a/b.js`. */
export function builtFrom(root, source) {
  return join(root, "build", relative("src", source).replace(/\.ts$/, ".js"));
}

/** The path of what a bundle was made of: the source of a compiled module, or the file of a package. */
export function sourceOf(root, id) {
  const path = relative(root, id).replaceAll("\\", "/");
  return path.startsWith("build/") ? path.replace("build/", "src/").replace(/\.js$/, ".ts") : path;
}

/**
 * A plugin of the bundler that leaves modules where another bundle has them. All who import them are in a folder of dist/, so
 * one relative path is right for all.
 */
export function elsewhere(root, sources) {
  const places = new Map(sources.map((source) => [builtFrom(root, source), `../${nameOf(source)}.js`]));
  return {
    name: "elsewhere",
    resolveId(path, importer) {
      if (importer === undefined || isAbsolute(path) || !path.startsWith(".")) return null;
      const id = places.get(resolve(dirname(importer), path));
      return id === undefined ? null : { id, external: true };
    },
  };
}

/** What asks for its own address must be two folders below the package; these two are deeper in src/. */
const moved = {
  "src/cli/agents/hook-lines.ts": "cli/hook-lines",
  "src/cli/agents/observe-lines.ts": "cli/observe-lines",
};

/** The name of a source in dist/, without its ending. */
export function nameOf(source) {
  return moved[source] ?? source.replace(/^src\//, "").replace(/\.ts$/, "");
}

/** Whatever asks for its own address expects to be two folders below the package, as it is in src/. */
export function refuseWrongDepth(output) {
  const wrong = output.filter(
    ({ fileName, code }) => code?.includes("import.meta.url") && fileName.split("/").length !== 2,
  );
  if (wrong.length === 0) return;
  throw new Error(
    `These files use import.meta.url and are not two folders deep: ${wrong.map(({ fileName }) => fileName).join(", ")}`,
  );
}
