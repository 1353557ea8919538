// `node bench/languages.mjs [language|package …]`: how much of real code in each language the graph understands.
//
//   --fetch            gets the packages that are not there (Debian's apt-get, npm)
//   --folder FOLDER    where they are; else a folder in the place for temporary files
//   --truth            also compares calls with what the language's own compiler says, where there is one
//   --misses N         lists so many of the imports, names and calls that were not found, or that are wrong
//   --sample N         prints N calls of each package, chosen at random, with what stands around them
//   --seed S           others are chosen (default 1)
//   --speed            how long all of them together take, and how much memory: a repository of many languages
//   --keep             keeps the sample in bench/languages/samples, to be judged
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { reportSpeed } from "./graph-speed.mjs";
import { countSites } from "./languages/call-sites.mjs";
import { compareTruth, readTruth } from "./languages/compare-truth.mjs";
import { fetchPackages, folderOf } from "./languages/fetch.mjs";
import { listImports, listUnresolved } from "./languages/imports.mjs";
import { extensions, packages } from "./languages/packages.mjs";
import { readGraph } from "./languages/read-graph.mjs";
import { keepSample, readSamples, readVerdicts, renderCall, sampleCalls } from "./languages/samples.mjs";

// Asked for of Rust, Go, Java and C#, of 100 calls each: of both packages together.
const leastPrecision = 0.95;

const { values: options, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: {
    fetch: { type: "boolean" },
    folder: { type: "string", default: join(tmpdir(), "tacit-languages") },
    truth: { type: "boolean" },
    misses: { type: "string", default: "0" },
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    keep: { type: "boolean" },
    speed: { type: "boolean" },
  },
});
const shown = Number(options.misses);
const wanted = packages.filter(
  ({ language, name }) => asked.length === 0 || asked.includes(language) || asked.includes(name),
);
if (options.fetch) fetchPackages(options.folder, wanted);
const there = wanted.filter((one) => existsSync(folderOf(options.folder, one)));
if (there.length === 0) {
  console.error(`None of the packages is in ${options.folder}: --fetch gets them.`);
  process.exit(1);
}
let missed = 0;
if (options.speed) {
  missed = await reportSpeed(...there.map((one) => folderOf(options.folder, one)));
} else if (options.sample) {
  for (const one of there) await printSample(one);
} else {
  print(
    [
      "package",
      "files",
      "with errors",
      "imports of the tree",
      "resolved",
      "call sites",
      "found",
      "not found",
      "outside",
      "MB/s of CPU",
      "MB",
    ],
    true,
  );
  const measured = [];
  for (const one of there) measured.push(...(await measure(one)));
  printVerdicts(measured);
  if (options.truth) printTruths(measured);
}
process.exit(missed > 0 ? 1 : 0);

async function printSample(one) {
  const root = folderOf(options.folder, one);
  const graph = await readGraph(root);
  const calls = sampleCalls(graph, Number(options.sample), Number(options.seed));
  console.log(`${one.name} ${one.version}, ${calls.length} calls, seed ${options.seed}\n`);
  calls.forEach((call, index) => console.log(renderCall(call, graph.nodes, index + 1, root)));
  if (options.keep) keepSample(one, Number(options.seed), calls);
}

async function measure(one) {
  const root = folderOf(options.folder, one);
  const graph = await readGraph(root);
  const isSource = (path) => extensions[one.language].includes(extname(path).slice(1));
  // What is generated is left out on purpose.
  const sources = graph.files.filter(({ path, problem }) => isSource(path) && problem !== "generated");
  if (sources.every(({ state }) => state === "text")) {
    console.error(`${one.name}: ${one.language} is no language that is read.`);
    return [];
  }
  const broken = sources.filter(({ state }) => state !== "whole");
  const imports = listImports(one.language, readTexts(root)).filter(({ file }) =>
    sources.some(({ path }) => path === file),
  );
  const unresolved = listUnresolved(imports, graph.edges);
  const sites = countSites(graph);
  const megabytes = sources.reduce((sum, { size }) => sum + size, 0) / 1e6;
  print([
    `${one.language}: ${one.name} ${one.version}`,
    sources.length,
    `${broken.length} (${percent(broken.length, sources.length)})`,
    imports.length,
    percent(imports.length - unresolved.length, imports.length),
    sites.sites,
    percent(sites.found, sites.found + sites.missed),
    sites.missed,
    sites.outside,
    (megabytes / (graph.cpuMs / 1000)).toFixed(2),
    Math.round(graph.rssMb),
  ]);
  for (const { path, state, problem } of broken.slice(0, shown)) console.log(`  ${path}: ${problem ?? state}`);
  for (const { file, line, text, targets } of spread(unresolved))
    console.log(`  ${file}:${line} ${text} -> ${targets[0]}`);
  const lost = graph.misses.filter(({ kind }) => kind === "call").toSorted((a, b) => b.sites - a.sites);
  for (const { file, path, name, sites: times } of lost.slice(0, shown))
    console.log(`  ${file}#${path} calls ${name}, ${times} x`);
  return [{ one, root, graph }];
}

function readTexts(root) {
  return new Map(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
      .map((path) => [relative(root, path).replaceAll("\\", "/"), readFileSync(path, "utf8")]),
  );
}

function printVerdicts(measured) {
  const judged = measured.flatMap(({ one, graph }) => {
    const verdicts = readVerdicts(readSamples(one.language), one, graph);
    return verdicts ? [{ one, ...verdicts }] : [];
  });
  if (judged.length === 0) return;
  console.log("");
  print(
    ["calls judged by hand", "seed", "judged", "right", "precision", "still found", "of those right", "not judged"],
    true,
  );
  for (const language of new Set(judged.map(({ one }) => one.language))) {
    const ofIt = judged.filter(({ one }) => one.language === language);
    for (const { one, seed, ...counts } of ofIt) printCounts(`${language}: ${one.name} ${one.version}`, seed, counts);
    const sum = (key) => ofIt.reduce((total, counts) => total + counts[key], 0);
    const keys = ["judged", "right", "stillThere", "stillRight", "open"];
    printCounts(`${language}, all`, "", Object.fromEntries(keys.map((key) => [key, sum(key)])));
    if (sum("right") < sum("judged") * leastPrecision) missed += 1;
  }
}

function printCounts(name, seed, { judged, right, stillThere, stillRight, open }) {
  print([name, seed, judged, right, percent(right, judged), stillThere, percent(stillRight, stillThere), open]);
}

function printTruths(measured) {
  console.log("");
  print(
    [
      "beside the compiler",
      "calls said",
      "precision",
      "true",
      "recall",
      "whatever overload: precision",
      "recall",
      "not judged",
    ],
    true,
  );
  for (const { one, root, graph } of measured) {
    const truth = readTruth(one.language, root);
    if (!truth) continue;
    const exact = compareTruth(graph, truth, { isExact: true });
    const loose = compareTruth(graph, truth, { isExact: false });
    print([
      one.name,
      exact.said,
      percent(exact.hits, exact.said),
      exact.wanted,
      percent(exact.found, exact.wanted),
      percent(loose.hits, loose.said),
      percent(loose.found, loose.wanted),
      exact.untold,
    ]);
    for (const { key, tier, line } of spread(exact.wrong)) console.log(`  wrong   ${key} [${tier}, line ${line}]`);
    for (const { key, line } of spread(exact.missed)) console.log(`  missed  ${key} [line ${line}]`);
  }
}

/** As many as are shown, from all over the list. */
function spread(values) {
  const step = Math.max(1, Math.floor(values.length / Math.max(1, shown)));
  return values.filter((_, index) => index % step === 0).slice(0, shown);
}

function percent(part, whole) {
  return whole === 0 ? "" : `${((100 * part) / whole).toFixed(1)} %`;
}

function print(cells, isHead = false) {
  console.log(`| ${cells.join(" | ")} |`);
  if (isHead) console.log(`|${cells.map(() => " ---: |").join("")}`);
}
