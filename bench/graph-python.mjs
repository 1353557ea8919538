// How much of what calls and imports what in a Python project the graph knows, against bench/graph/python/truth.json: what
// reading it tells (`calls`), what only running it tells (`dynamic`), and what syntax runs without a call (`implicit`).
// recorded.json is what really ran; every line of it is in the truth. `--misses` lists what is wrong and what is missing.
//
//   node bench/graph-python.mjs [--misses] [--calls] [folder]
//
// With a folder of one's own, counts only: there is no truth for it.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const { openPython } = await import("../build/codegraph/languages/python/open-python.js");
const { createPythonResolver } = await import("../build/codegraph/languages/python/resolve-python-modules.js");
const { linkFile, votesOf, winnerOf } = await import("../build/codegraph/link/link.js");

const here = fileURLToPath(new URL("graph/python", import.meta.url));
const given = process.argv.slice(2);
const folder = given.find((argument) => !argument.startsWith("--"));
const graph = await graphOf(folder ?? join(here, "project"));

if (folder === undefined) compareWithTruth();
else printCounts();

function printCounts() {
  const calls = graph.edges.filter(({ kind }) => kind === "calls");
  const imports = graph.edges.filter(({ kind }) => kind === "imports");
  const missed = graph.misses.filter(({ kind }) => kind === "call").reduce((sum, { sites }) => sum + sites, 0);
  console.log(`${graph.files} files, ${graph.broken} with errors, ${graph.symbols} symbols`);
  console.log(`CPU: ${graph.readMs.toFixed(0)} ms to read, ${graph.linkMs.toFixed(0)} ms to link`);
  console.log(`${imports.length} imports, ${calls.length} calls; not found: ${missed} of ${graph.sites} call sites`);
  if (given.includes("--calls")) for (const { pair, line, tier } of calls) console.log(pair, line, tier);
  if (given.includes("--misses")) for (const { from, name, sites } of graph.misses) console.log(from, name, sites);
}

function compareWithTruth() {
  const truth = JSON.parse(readFileSync(join(here, "truth.json"), "utf8"));
  const recorded = JSON.parse(readFileSync(join(here, "recorded.json"), "utf8"));
  const pairs = (lists) => new Set(Object.entries(lists).flatMap(([from, all]) => all.map((to) => `${from} -> ${to}`)));
  // That a class runs its own __init__ is always true, and no line of it is a call: it counts neither way.
  const isMaking = (pair) => /^(.+) -> \1\.__(?:new|init|post_init)__$/.test(pair);
  const found = (wanted) =>
    new Set(graph.edges.filter(({ kind, pair }) => kind === wanted && !isMaking(pair)).map(({ pair }) => pair));
  const [calls, dynamic, implicit] = [truth.calls, truth.dynamic, truth.implicit].map(pairs);
  const real = new Set([...calls, ...dynamic, ...implicit]);
  const ran = recorded.calls.map(([from, to]) => `${from} -> ${to}`);
  const strangers = ran.filter((edge) => !real.has(edge));
  console.log(`recorded ${ran.length} calls, ${strangers.length} of them not in the truth`);
  print("imports", found("imports"), pairs(truth.imports), pairs(truth.imports));
  print("calls that reading tells", found("calls"), calls, real);
  print("calls, with those that only running tells", found("calls"), new Set([...calls, ...dynamic]), real);
  print("calls that were recorded", found("calls"), new Set(ran), real);
}

function print(what, found, wanted, right) {
  const [wrong, missing] = [
    [...found].filter((edge) => !right.has(edge)),
    [...wanted].filter((edge) => !found.has(edge)),
  ];
  const share = (part, whole) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} % (${part} of ${whole})`;
  console.log(
    `${what}: precision ${share(found.size - wrong.length, found.size)}, recall ${share(wanted.size - missing.length, wanted.size)}`,
  );
  if (!given.includes("--misses")) return;
  for (const edge of wrong) console.log(`  wrong    ${edge}`);
  for (const edge of missing) console.log(`  missing  ${edge}`);
}

async function graphOf(root) {
  const paths = listFiles(root);
  const read = await openPython();
  const began = process.cpuUsage();
  const extractions = new Map(
    paths
      .filter((path) => /\.pyi?$/.test(path))
      .map((path) => [path, read(path, readFileSync(join(root, path), "utf8"))]),
  );
  const readMs = cpuMs(began);
  const files = [...extractions.keys()];
  const modules = createPythonResolver({ files: new Set(paths) });
  const sources = { facts: (path) => extractions.get(path)?.facts, modules, winner: () => undefined };
  const votes = files.flatMap((path) => votesOf(path, sources));
  const names = new Set(votes.map(({ parameter }) => parameter));
  const winners = new Map(
    [...names].map((name) => [name, winnerOf(votes.filter(({ parameter }) => parameter === name))]),
  );
  const linked = files.map((path) => [path, linkFile(path, { ...sources, winner: (name) => winners.get(name) })]);
  const node = (file, symbol) => (symbol === "" ? file : `${file}#${symbol}`);
  const all = [...extractions.values()];
  return {
    edges: linked.flatMap(([path, { edges }]) =>
      edges.map(({ from, toFile, to, kind, line, tier }) => ({
        pair: `${node(path, from)} -> ${node(toFile, to)}`,
        kind,
        line,
        tier,
      })),
    ),
    misses: linked.flatMap(([path, { misses }]) => misses.map((miss) => ({ ...miss, from: node(path, miss.from) }))),
    broken: all.filter(({ firstErrorLine }) => firstErrorLine !== undefined).length,
    readMs,
    linkMs: cpuMs(began) - readMs,
    files: files.length,
    symbols: all.reduce((sum, { facts }) => sum + facts.symbols.length, 0),
    sites: all.reduce((sum, { facts }) => sum + facts.uses.filter(([kind]) => kind === "call").length, 0),
  };
}

function cpuMs(since) {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

function listFiles(root) {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .filter((path) => !/(^|\/)(\.git|__pycache__|node_modules|\.venv)\//.test(path))
    .toSorted();
}
