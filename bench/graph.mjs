// `npm run bench:graph [package|folder …] [--misses N]`: the edges of Tacit's code graph beside what the TypeScript checker says.
// A folder may be any TypeScript project; without one, it takes packages whose tarball carries their sources.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { compareGraph } from "./graph/compare.mjs";
import { graphOf, listCode } from "./graph/graph-of.mjs";
import { truthOf } from "./graph/truth.mjs";
import { installPeers } from "./install-peers.mjs";

const promised = { imports: { precision: 0.995, recall: 0.99 }, calls: { precision: 0.98, recall: 0.9 } };
const packages = ["rxjs", "mobx", "zod"];

const args = process.argv.slice(2);
const at = args.indexOf("--misses");
const shown = at < 0 ? 0 : Number(args[at + 1] ?? 20);
const asked = args.filter((arg, i) => at < 0 || (i !== at && i !== at + 1));

if (!installPeers()) {
  console.error("The checker and the packages could not be installed, so nothing was measured.");
  process.exit(1);
}
const ts = createRequire(import.meta.url)("typescript-5");
let missed = 0;
for (const name of asked.length > 0 ? asked : packages) {
  const folder = join(import.meta.dirname, "node_modules", name);
  const root = packages.includes(name) ? folder : resolve(name);
  if (!existsSync(root)) {
    console.error(`There is no ${root}.`);
    process.exit(1);
  }
  missed += await measure(name, root);
}
process.exit(missed > 0 ? 1 : 0);

async function measure(name, root) {
  // Packages bring what was built of their sources too.
  const files = listCode(root, (path) => !packages.includes(name) || path.startsWith("src/"));
  const typeRoots = [join(import.meta.dirname, "..", "node_modules", "@types")];
  const truth = truthOf(ts, root, files, { typeRoots });
  const graph = await graphOf(root, files);
  const { imports, calls, references } = compareGraph(graph, truth, files);
  const sites = graph.misses.reduce((sum, miss) => sum + miss.sites, 0);
  const { extract, link } = graph.times;
  console.log(
    `\n${name}: ${files.length} files, CPU ${Math.round(extract)} ms for extraction and ${Math.round(link)} ms for linking`,
  );
  const head = [
    ["edges", "said", "true", "precision", "recall"],
    ["---", "---:", "---:", "---:", "---:"],
  ];
  for (const cells of [...head, row("imports", imports), row("calls", calls), ...tierRows(calls)]) {
    console.log(`| ${cells.join(" | ")} |`);
  }
  console.log(
    `${references} references, ${sites} calls and imports that led nowhere, ${truth.unsure.length} calls of which the checker knows nothing.`,
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
