// `npm run bench:graph [package|folder …] [--misses N]`: the edges of Tacit's code graph beside what the TypeScript checker says.
// A folder may be any TypeScript project; without one, it takes packages whose tarball carries their sources, and also measures
// Python, how long indexing takes, and impact on a large graph.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { compareGraph } from "./graph/compare.mjs";
import { graphOf } from "./graph/graph-of.mjs";
import { truthOf } from "./graph/truth.mjs";
import { measureGraphScale } from "./graph-scale.mjs";
import { reportSpeed } from "./graph-speed.mjs";
import { installPeers } from "./install-peers.mjs";
import { temporaryFolder } from "./measure.mjs";

const promised = { imports: { precision: 0.995, recall: 0.99 }, calls: { precision: 0.98, recall: 0.9 } };
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
let missed = 0;
for (const name of asked.length > 0 ? asked : packages) missed += await measure(name, sourcesOf(name));
if (asked.length === 0) {
  console.log("\nPython, a project made for this\n");
  spawnSync(process.execPath, [join(import.meta.dirname, "graph-python.mjs")], { stdio: "inherit" });
  console.log("");
  missed += await reportSpeed(place.path);
  console.log("\n| a made graph | measured | promised |\n| --- | ---: | ---: |");
  for (const { what, value, atMost } of await measureGraphScale()) {
    console.log(`| ${what} | ${Number(value.toFixed(2))} | ${atMost === undefined ? "" : `at most ${atMost}`} |`);
    if (atMost !== undefined && value > atMost) missed += 1;
  }
}
place.remove();
process.exit(missed > 0 ? 1 : 0);

/** A folder that holds sources and nothing that was built of them. */
function sourcesOf(name) {
  const root = packages.includes(name) ? join(import.meta.dirname, "node_modules", name) : resolve(name);
  if (!existsSync(root)) {
    console.error(`There is no ${root}.`);
    process.exit(1);
  }
  if (!packages.includes(name)) return root;
  const copy = join(place.path, name);
  for (const part of ["src", "package.json"]) cpSync(join(root, part), join(copy, part), { recursive: true });
  return copy;
}

function listCode(root) {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?[jt]sx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, "/").length).replaceAll("\\", "/"))
    .filter((path) => !/(?:^|\/)(?:node_modules|\.git)\//.test(path))
    .toSorted();
}

/** The aliases of a project, as its tsconfig.json has them. */
function pathsOf(root) {
  const file = ts.findConfigFile(root, (path) => ts.sys.fileExists(path));
  if (!file || dirname(file) !== root) return {};
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(file, (path) => ts.sys.readFile(path)).config,
    ts.sys,
    root,
  );
  return { paths: options.paths ?? {}, pathsFrom: options.baseUrl ?? options.pathsBasePath ?? root };
}

async function measure(name, root) {
  const graph = await graphOf(root);
  // What Tacit leaves out, because it is generated or ignored by git, is no part of the comparison.
  const known = new Set(graph.nodes.map(({ file }) => file));
  const files = listCode(root).filter((path) => known.has(path));
  const typeRoots = [join(import.meta.dirname, "..", "node_modules", "@types")];
  // A package imports itself by its name, which would lead to what is not built here.
  const own = packages.includes(name) ? { paths: { [name]: ["src"], [`${name}/*`]: ["src/*"] } } : pathsOf(root);
  const truth = truthOf(ts, root, files, { typeRoots, ...own });
  const { imports, calls, references } = compareGraph(graph, truth, files);
  console.log(`\n${name}: ${files.length} files, indexed in ${Math.round(graph.cpuMs)} ms of CPU\n`);
  const head = [
    ["edges", "said", "true", "precision", "recall"],
    ["---", "---:", "---:", "---:", "---:"],
  ];
  for (const cells of [...head, row("imports", imports), row("calls", calls), ...tierRows(calls)]) {
    console.log(`| ${cells.join(" | ")} |`);
  }
  console.log(
    `\n${references} references, ${graph.unresolved} calls and imports that led nowhere, ${truth.unsure.length} calls of which the checker knows nothing.`,
  );
  if (shown > 0) list(imports, calls);
  return ["imports", "calls"].filter((kind) => isShort(kind, { imports, calls }[kind])).length;
}

function row(kind, { said, right, hits }) {
  return [kind, said, right, percent(hits, said), percent(hits, right)];
}

function tierRows({ byTier }) {
  return Object.entries(byTier).map(([tier, { said, hits }]) => [`  ${tier}`, said, "", percent(hits, said), ""]);
}

function percent(part, whole) {
  return whole === 0 ? "" : `${((100 * part) / whole).toFixed(1)} %`;
}

function isShort(kind, { said, right, hits }) {
  const { precision, recall } = promised[kind];
  const short = hits < said * precision || hits < right * recall;
  if (short)
    console.log(
      `${kind}: less than the ${precision * 100} % precision and ${recall * 100} % recall that are promised.`,
    );
  return short;
}

function list(imports, calls) {
  for (const { wrong, missed: lost } of [imports, calls]) {
    for (const { key, tier, line } of sample(wrong))
      console.log(`  wrong   ${key} [${tier}${line ? `, line ${line}` : ""}]`);
    for (const { key, text, line } of sample(lost))
      console.log(`  missed  ${key}${text ? ` [${text}, line ${line}]` : ""}`);
  }
}

/** As many as are shown, from all over the list. */
function sample(values) {
  const step = Math.max(1, Math.floor(values.length / shown));
  return values.filter((_, i) => i % step === 0).slice(0, shown);
}
