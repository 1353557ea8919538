// Puts what `tacit observe` and `tacit hook` need into one file each: an agent waits for them at every tool call, and opening
// fifty files takes longer than all that they do (observe: 50 ms over an empty process without, 35 ms with; 2026-11).
import { isAbsolute, join } from "node:path";
import { rolldown } from "rolldown";
import { builtFrom, elsewhere, nameOf, refuseWrongDepth, sourceOf } from "./built-modules.mjs";
import { isOutside } from "./bundled-packages.mjs";
import { hookModules } from "./hook-modules.mjs";
import { lateExpressions } from "./late-expressions.mjs";

export async function bundleHooks(root) {
  for (const [entry, { inside, apart }] of Object.entries(hookModules)) {
    const bundle = await rolldown({
      input: builtFrom(root, entry),
      platform: "node",
      external: isOutside,
      // Of a door only what is used counts, and a package of which nothing is left is not loaded.
      treeshake: { moduleSideEffects: false },
      plugins: [elsewhere(root, apart), lateExpressions],
    });
    // Half as long to read: 2 to 3 ms of 107 for a prompt; with the names left as they are, less than 1 (2026-11).
    const { output } = await bundle.write({
      file: join(root, "dist", `${nameOf(entry)}.js`),
      format: "esm",
      codeSplitting: false,
      minify: true,
    });
    await bundle.close();
    refuseWrongDepth([{ fileName: `${nameOf(entry)}.js`, code: output[0].code }]);
    // The bundler adds a module of its own, which has no path.
    const modules = Object.keys(output[0].modules).filter((id) => isAbsolute(id));
    refuseOthers(
      entry,
      modules.map((id) => sourceOf(root, id)),
      inside,
    );
  }
}

/** What an agent waits for grows only on purpose. */
function refuseOthers(entry, found, listed) {
  const unlisted = found.filter((path) => !listed.includes(path)).toSorted();
  const missing = listed.filter((path) => !found.includes(path));
  if (unlisted.length + missing.length === 0) return;
  throw new Error(
    [
      `The bundle of ${entry} does not hold what scripts/hook-modules.mjs lists.`,
      ...unlisted.map(
        (path) => `+ ${path}  (is in the bundle: list it under "inside", or under "apart" if it is needed rarely)`,
      ),
      ...missing.map((path) => `- ${path}  (is not in the bundle: remove it from "inside")`),
    ].join("\n"),
  );
}
