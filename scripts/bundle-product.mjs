// Bundles what the package offers and what the command line loads. A module that several doors share is in one chunk, so that
// a command opens ten files instead of 150 (recall by words: 35 ms of 200; 2026-11).
import { dirname, join } from "node:path";
import { rolldown } from "rolldown";
import { builtFrom, elsewhere, nameOf, refuseWrongDepth } from "./built-modules.mjs";
import { isOutside } from "./bundled-packages.mjs";
import { hookModules } from "./hook-modules.mjs";
import { lateExpressions } from "./late-expressions.mjs";

/** What others open by its path: the package's exports, its command, and the threads it starts. */
const entries = [
  "src/agents/ai-sdk/ai-sdk.ts",
  "src/agents/opencode/opencode.ts",
  "src/agents/worker/worker.ts",
  "src/cli/main.ts",
  "src/codegraph/indexing/parse-worker.ts",
  "src/embedding/bundled/model-worker.ts",
  "src/index.ts",
  "src/observe.ts",
];

/**
 * What a process begins with, or a hook now and then. What only one of them needs at once is its own chunk; what two of them
 * need is in the chunk "shared". So each loads few files, and little that it does not use.
 */
const doors = [
  "src/agents/worker/worker.ts",
  "src/cli/run-command-line.ts",
  "src/config/read-config.ts",
  "src/project/settings/effective-settings.ts",
  "src/hygiene/hygiene.ts",
  "src/index.ts",
  "src/project/folder/identify-folder.ts",
  "src/observe.ts",
];

/** Each command is loaded only when it is asked for; what two of them need is in the chunk of the command line. */
const commandLine = { door: "src/cli/run-command-line.ts", commands: "src/cli/run-program.ts" };

export async function bundleProduct(root) {
  const apart = new Set(Object.values(hookModules).flatMap((modules) => modules.apart));
  const places = new Map();
  const bundle = await rolldown({
    input: Object.fromEntries(
      [...new Set([...entries, ...apart])].map((path) => [nameOf(path), builtFrom(root, path)]),
    ),
    platform: "node",
    external: isOutside,
    // Of a door only what is used counts.
    treeshake: { moduleSideEffects: false },
    plugins: [
      elsewhere(root, Object.keys(hookModules)),
      lateExpressions,
      {
        name: "places",
        buildEnd() {
          placeModules(root, (id) => this.getModuleInfo(id), [...this.getModuleIds()], places);
        },
      },
    ],
    // Some modules are loaded late in one place and at once in another. That is meant.
    checks: { ineffectiveDynamicImport: false },
  });
  const names = ["shared", ...doors.map(chunkOf)];
  const { output } = await bundle.write({
    dir: join(root, "dist"),
    format: "esm",
    chunkFileNames: "chunks/[name]-[hash].js",
    // Less to parse: with late expressions 98 instead of 108 ms of a recall's processor time over node; each alone 2 to 4 (2026-11).
    minify: true,
    codeSplitting: {
      groups: names.map((name, index) => ({
        name,
        test: (id) => places.get(id) === name,
        priority: names.length - index,
      })),
    },
  });
  await bundle.close();
  refuseWrongDepth(output);
}

function placeModules(root, infoOf, ids, places) {
  const reached = (from) => closureOf(from, infoOf);
  const byDoor = doors.map((door) => ({ door, reached: reached(builtFrom(root, door)) }));
  const commands = infoOf(builtFrom(root, commandLine.commands)).dynamicallyImportedIds.map(reached);
  for (const id of ids) {
    const behind = byDoor.filter((one) => one.reached.has(id));
    if (behind.length > 0) places.set(id, behind.length > 1 ? "shared" : chunkOf(behind[0].door));
    else if (commands.filter((modules) => modules.has(id)).length > 1) places.set(id, chunkOf(commandLine.door));
  }
}

/** A module and all that it loads at once. Of a door, a list of exports, only what is asked for by name. */
function closureOf(from, infoOf) {
  const reached = new Set([from]);
  for (const id of reached) for (const next of loadedBy(id, infoOf)) reached.add(next);
  return reached;
}

const statements = /^(?:import|export) (?:\{([^}]*)\}|\*(?: as \w+)?|\w+) from "(\.[^"]+)";$/gm;

function loadedBy(id, infoOf) {
  const loaded = [];
  const named = new Set();
  for (const [, names, path] of (infoOf(id)?.code ?? "").matchAll(statements)) {
    const target = join(dirname(id), path);
    const exports = names === undefined ? undefined : doorExports(target, infoOf);
    if (!exports) continue;
    named.add(target);
    for (const name of namesIn(names)) loaded.push(exports.get(name) ?? target);
  }
  return [...loaded, ...(infoOf(id)?.importedIds ?? []).filter((next) => !named.has(next))];
}

/** Where each name of a door comes from; undefined for a module that has code of its own. */
function doorExports(id, infoOf) {
  const code = (infoOf(id)?.code ?? "").replaceAll(/\/\*[^]*?\*\//g, "").replaceAll(/^\/\/.*$/gm, "");
  if (code === "" || code.replaceAll(/^export \{[^}]*\} from "[^"]+";$/gm, "").trim() !== "") return undefined;
  return new Map(
    [...code.matchAll(statements)].flatMap(([, names, path]) =>
      namesIn(names).map((name) => [name, join(dirname(id), path)]),
    ),
  );
}

function namesIn(list) {
  return list.split(",").flatMap((name) => name.trim().split(" as ")[0] || []);
}

function chunkOf(path) {
  return nameOf(path).split("/").at(-1);
}
