import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { groupBy } from "./compare.mjs";

/** The code files below a folder, from it, with slashes. */
export function listCode(root, isWanted = () => true) {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?[jt]sx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, "/").length).replaceAll("\\", "/"))
    .filter((path) => !/(?:^|\/)(?:node_modules|\.git|dist)\//.test(path) && isWanted(path))
    .toSorted();
}

/** The graph of some files, straight from extraction and linking, as the public API exports it. */
export async function graphOf(root, files, dist = new URL("../../dist/", import.meta.url)) {
  const load = (path) => import(new URL(path, dist).href);
  const { openTypeScript } = await load("codegraph/typescript/typescript.js");
  const { linkFile, votesOf, winnerOf } = await load("codegraph/link/link.js");
  const { createModuleResolver, isSettingsFile } = await load("codegraph/link/resolve-modules.js");
  const { nodeId } = await load("base/node-id.js");
  const { confidenceOf } = await load("codegraph/link/confidence.js");
  const extract = await openTypeScript();
  const times = { extract: 0, link: 0 };

  let start = process.cpuUsage();
  const facts = new Map(files.map((file) => [file, extract(file, readFileSync(join(root, file), "utf8")).facts]));
  times.extract = spent(start);

  const settings = new Map();
  for (const entry of readdirSync(root, { recursive: true })) {
    const path = entry.replaceAll("\\", "/");
    if (isSettingsFile(path)) settings.set(path, readFileSync(join(root, path), "utf8"));
  }
  start = process.cpuUsage();
  const modules = createModuleResolver({ files: new Set(files), settings });
  const sources = { facts: (file) => facts.get(file), modules, winner: () => undefined };
  const votes = groupBy(
    files.flatMap((file) => votesOf(file, sources)),
    ({ parameter }) => parameter,
  );
  const winners = new Map([...votes].map(([name, list]) => [name, winnerOf(list)]));
  const linked = files.map((file) => [file, linkFile(file, { ...sources, winner: (name) => winners.get(name) })]);
  times.link = spent(start);

  const nodes = [...facts].flatMap(([file, { symbols }]) => [
    { id: file, kind: "file", name: file, file, startLine: 1, endLine: Infinity },
    ...symbols.map(({ path, name, kind, start: startLine, end: endLine }) => ({
      id: nodeId(file, path),
      kind,
      name,
      file,
      startLine,
      endLine,
    })),
  ]);
  const edges = linked.flatMap(([file, { edges: found }]) =>
    found.map(({ from, toFile, to, kind, tier, line }) => ({
      from: nodeId(file, from),
      to: nodeId(toFile, to),
      kind,
      tier,
      confidence: confidenceOf(tier, kind),
      source: "ast",
      line,
    })),
  );
  const misses = linked.flatMap(([file, { misses: found }]) => found.map((miss) => ({ file, ...miss })));
  return { nodes, edges, misses, times };
}

function spent(start) {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
