// Edges chosen at random for somebody to judge, and what was judged of them.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openRandom } from "../observer/random.mjs";

/** So many calls of a graph, the same for the same seed and the same graph. */
export function sampleCalls({ edges }, count, seed) {
  const calls = edges
    .filter(({ kind }) => kind === "calls")
    .toSorted((a, b) => (`${a.from} -> ${a.to}` < `${b.from} -> ${b.to}` ? -1 : 1));
  return openRandom(seed).sample(calls, count);
}

/** A call with the lines around it, and those with which its target begins. */
export function renderCall({ from, to, fromFile, toFile, line, tier }, nodes, number, root) {
  const target = nodes.find(({ id }) => id === to);
  const around = linesOf(root, fromFile, line - 2, line + 2, line);
  const begins = linesOf(root, toFile, target.startLine, Math.min(target.startLine + 2, target.endLine));
  return [
    `${number}. ${from} -> ${to} [${tier}]`,
    `   ${fromFile}:${line}`,
    around,
    `   ${toFile}:${target.startLine}`,
    begins,
    "",
  ].join("\n");
}

function linesOf(root, file, first, last, marked) {
  const lines = readFileSync(join(root, file), "utf8").split("\n");
  return lines
    .slice(Math.max(0, first - 1), last)
    .map((text, index) => {
      const number = Math.max(1, first) + index;
      return `   ${number === marked ? ">" : " "} ${String(number).padStart(5)}  ${text.slice(0, 160)}`;
    })
    .join("\n");
}

/** Keeps a sample to be judged: whoever does writes "right" or "wrong" in the place of "open", and "why" where it is wrong. */
export function keepSample({ language, name, version }, seed, calls) {
  const edges = calls.map(({ from, to, line }) => ({ from, to, line, verdict: "open" }));
  const kept = withSample(readSamples(language), { package: name, version, seed, edges });
  mkdirSync(dirname(fileOf(language)), { recursive: true });
  writeFileSync(fileOf(language), `${JSON.stringify(kept, null, 2)}\n`);
}

/** The samples of a language, one of each package; none where nothing was kept. */
export function readSamples(language) {
  return existsSync(fileOf(language)) ? JSON.parse(readFileSync(fileOf(language), "utf8")) : [];
}

/** A new sample takes the place of the one of its package, and leaves those of the others. */
export function withSample(samples, sample) {
  return [...samples.filter((other) => other.package !== sample.package), sample];
}

/** What was judged of a package, beside what its graph says now; undefined where nothing was. */
export function readVerdicts(samples, { name }, { edges }) {
  const sample = samples.find((one) => one.package === name);
  if (!sample) return undefined;
  const now = new Set(edges.filter(({ kind }) => kind === "calls").map(({ from, to }) => `${from} -> ${to}`));
  const judged = sample.edges.filter(({ verdict }) => verdict !== "open");
  const right = judged.filter(({ verdict }) => verdict === "right");
  const isThere = ({ from, to }) => now.has(`${from} -> ${to}`);
  return {
    seed: sample.seed,
    judged: judged.length,
    right: right.length,
    stillThere: judged.filter(isThere).length,
    stillRight: right.filter(isThere).length,
    open: sample.edges.length - judged.length,
  };
}

function fileOf(language) {
  return join(import.meta.dirname, "samples", `${language}.json`);
}
