// `node bench/graph-scip.mjs [package|folder …] [--misses N]`: the calls of Tacit's code graph beside what the TypeScript checker
// says, by reading alone and with a SCIP index that scip-typescript makes of the same sources. It is installed in a temporary
// folder. Needs `npm run build`.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { openMemory } from "../dist/index.js";
import { compareGraph } from "./graph/compare.mjs";
import { truthOf } from "./graph/truth.mjs";
import { installPeers } from "./install-peers.mjs";
import { temporaryFolder } from "./measure.mjs";

const promised = 0.99;
const indexer = "@sourcegraph/scip-typescript@0.4.0";
const packages = ["rxjs", "mobx", "zod"];

const args = process.argv.slice(2);
const at = args.indexOf("--misses");
const shown = at < 0 ? 0 : Number(args[at + 1] ?? 20);
const asked = args.filter((_, i) => at < 0 || (i !== at && i !== at + 1));

if (!installPeers()) {
  console.error("The checker and the packages could not be installed, so nothing was measured.");
  process.exit(1);
}
const { default: ts } = await import("typescript-5");
const place = temporaryFolder();
const tool = installIndexer(join(place.path, "tool"));
let missed = 0;
for (const name of asked.length > 0 ? asked : packages) missed += await measure(basename(name), copySources(name));
place.remove();
process.exit(missed > 0 ? 1 : 0);

function installIndexer(folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", indexer], folder);
  return join(folder, "node_modules", "@sourcegraph", "scip-typescript", "dist", "src", "main.js");
}

function run(command, parts, cwd) {
  const { status } = spawnSync(command, parts, {
    cwd,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new Error(`${command} ${parts.join(" ")} failed.`);
}

/** The sources alone: what was built of them would be indexed, too. */
function copySources(name) {
  const root = packages.includes(name) ? join(import.meta.dirname, "node_modules", name) : resolve(name);
  if (!existsSync(join(root, "src"))) throw new Error(`There is no ${join(root, "src")}.`);
  const copy = join(place.path, basename(name));
  for (const part of ["src", "package.json"]) {
    if (existsSync(join(root, part))) cpSync(join(root, part), join(copy, part), { recursive: true });
  }
  return copy;
}

async function measure(name, root) {
  const typeRoots = [join(import.meta.dirname, "..", "node_modules", "@types")];
  // A package imports itself by its name, which would lead to what is not built here.
  const paths = { [name]: ["src"], [`${name}/*`]: ["src/*"] };
  const scip = join(place.path, `${name}.scip`);
  const began = performance.now();
  // As the truth is told with, and outside of what is compared.
  writeFileSync(
    join(root, "tsconfig.json"),
    JSON.stringify({ compilerOptions: optionsOf(typeRoots, paths), include: ["src"] }),
  );
  run(process.execPath, [tool, "index", "--no-progress-bar", "--output", scip], root);
  const tookMs = performance.now() - began;
  const [read, precise] = [await graphOf(root), await graphOf(root, scip)];
  const known = new Set(read.graph.nodes.map(({ file }) => file));
  const files = listCode(root).filter((path) => known.has(path));
  const truth = truthOf(ts, root, files, { typeRoots, paths });
  const { taken, documents, symbols } = precise.report.scip;
  const bytes = statSync(scip).size;
  console.log(
    `\n${name}: ${files.length} files. ${indexer} took ${Math.round(tookMs)} ms and wrote ${bytes} bytes; taken in with everything else in ${Math.round(precise.tookMs)} ms: ${taken} of ${documents} documents, ${symbols} symbols.\n`,
  );
  console.log("| calls | said | true | precision | recall |\n| --- | ---: | ---: | ---: | ---: |");
  const before = compareGraph(read.graph, truth, files).calls;
  const after = compareGraph(precise.graph, truth, files).calls;
  for (const [what, calls] of Object.entries({ "by reading": before, "with SCIP": after })) {
    console.log(
      `| ${what} | ${calls.said} | ${calls.right} | ${percent(calls.hits, calls.said)} | ${percent(calls.hits, calls.right)} |`,
    );
  }
  for (const [tier, { said, hits }] of Object.entries(after.byTier))
    console.log(`|   ${tier} | ${said} | | ${percent(hits, said)} | |`);
  for (const { key, tier } of sample(after.wrong)) console.log(`  wrong   ${key} [${tier}]`);
  for (const { key, text, line } of sample(after.missed)) console.log(`  missed  ${key} [${text}, line ${line}]`);
  const isShort = after.hits < after.said * promised || after.hits < after.right * promised;
  if (isShort) console.log(`Less than the ${promised * 100} % precision and recall that are promised.`);
  return isShort ? 1 : 0;
}

function optionsOf(typeRoots, paths) {
  return {
    target: "ESNext",
    module: "ESNext",
    moduleResolution: "Bundler",
    jsx: "preserve",
    strict: true,
    allowJs: true,
    skipLibCheck: true,
    noEmit: true,
    experimentalDecorators: true,
    allowImportingTsExtensions: true,
    types: ["node"],
    typeRoots,
    paths: Object.fromEntries(Object.entries(paths).map(([key, all]) => [key, all.map((path) => `./${path}`)])),
  };
}

async function graphOf(root, scip) {
  const memory = await openMemory({ db: ":memory:", directory: root });
  try {
    const began = performance.now();
    const report = await memory.index({ history: false, ...(scip && { scip }) });
    const tookMs = performance.now() - began;
    let text = "";
    for await (const piece of memory.exportGraph({ format: "json", level: "symbol" })) text += piece;
    return { graph: JSON.parse(text), report, tookMs };
  } finally {
    await memory.close();
  }
}

function listCode(root) {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?[jt]sx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, "/").length).replaceAll("\\", "/"))
    .toSorted();
}

function percent(part, whole) {
  return whole === 0 ? "" : `${((100 * part) / whole).toFixed(2)} %`;
}

function sample(values) {
  if (shown === 0) return [];
  const step = Math.max(1, Math.floor(values.length / shown));
  return values.filter((_, i) => i % step === 0).slice(0, shown);
}
