// Tacit beside what others use for the same: one table of quality and scale, every figure from this run.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { measurePeerQuality } from "./peer-quality.mjs";
import { askBudgetMs, fillBudgetMs, measurePeerScale, prepareScale } from "./peer-scale.mjs";
import { peers } from "./peers/peers.mjs";
import { renderTable } from "./render-table.mjs";

const sizes = [1000, 10_000, 100_000];
const base = "tacit-hybrid";
const counts = new Set(["memories kept", "questions asked"]);

/** The table, and what is promised of it. */
export async function comparePeers() {
  const lines = new Map();
  await compareQuality(lines);
  for (const size of sizes) await compareScale(lines, size);
  const names = Object.fromEntries(Object.entries(peers).map(([peer, { name }]) => [peer, name]));
  return {
    text: `${introduction()}\n\n${renderTable({ names, base, lines: [...lines.values()] })}`,
    rows: promises(lines),
  };
}

async function compareQuality(lines) {
  for (const peer of Object.keys(peers)) {
    const scores = await attempt(peer, "quality", () => measurePeerQuality(peer, progress(peer)));
    for (const [what, value] of Object.entries(scores ?? {})) lineOf(lines, what).values[peer] = value;
  }
}

async function compareScale(lines, total) {
  const scale = prepareScale(total);
  try {
    for (const peer of Object.keys(peers)) {
      const options = { isOurs: isOurs(peer), onProgress: progress(peer) };
      const measured = await attempt(peer, `${total}`, () => measurePeerScale(peer, scale, options));
      for (const [what, value] of Object.entries(measured?.measures ?? {})) {
        const line = lineOf(lines, `${total.toLocaleString("en")}: ${what}`);
        line.values[peer] = value;
        line.isCount = counts.has(what);
        if (!measured.isWhole) line.cut.push(peer);
      }
    }
  } finally {
    scale.remove();
  }
}

/** A peer that breaks has dashes in the table; Tacit must not break. */
async function attempt(peer, what, measure) {
  try {
    return await measure();
  } catch (error) {
    if (isOurs(peer)) throw error;
    console.warn(`${peers[peer].name}, ${what}: ${error.message}`);
    return undefined;
  }
}

function progress(peer) {
  return (text) => console.error(`  ${peers[peer].name}: ${text}`);
}

function isOurs(peer) {
  return peer.startsWith("tacit-");
}

function lineOf(lines, what) {
  if (!lines.has(what)) lines.set(what, { what, values: {}, cut: [] });
  return lines.get(what);
}

/** What is promised against others. A plain FTS5 table is no product; what is promised against it is in scale.mjs. */
function promises(lines) {
  const largest = sizes.at(-1).toLocaleString("en");
  const times = lines.get(`${largest}: an answer, ms p50`).values;
  const products = Object.keys(peers).filter((peer) => !isOurs(peer) && peer !== "plain-fts5" && times[peer]);
  const best = (what) =>
    Math.max(
      ...Object.entries(lines.get(what).values)
        .filter(([peer]) => !isOurs(peer))
        .map(([, value]) => value),
    );
  const ahead = ["LoCoMo dev, R@10", "LoCoMo dev, held out, R@10", "Cranfield, nDCG@10"].map((what) => ({
    what: `${what}: Tacit over the best of the others`,
    value: lines.get(what).values[base] / best(what),
    atLeast: 1,
  }));
  return [
    ...ahead,
    {
      what: `${largest}: the fastest product's p50 over Tacit's`,
      value: Math.min(...products.map((peer) => times[peer] / times[base])),
      atLeast: 4,
    },
  ];
}

function introduction() {
  const { dependencies } = JSON.parse(readFileSync(join(import.meta.dirname, "package.json"), "utf8"));
  const versions = Object.entries(dependencies).map(([name, version]) => `${name} ${version}`);
  return `Every figure is of this run; in brackets its ratio to Tacit, hybrid. Versions: ${versions.join(", ")}.
Each peer ran in processes of its own, without network. LoCoMo: conversations 1, 3 and 5 were tuned on, 2 and 4 held out.
Session-level: the sessions that answer, among the first five different sessions of the ranking.
\\* did not take all memories within ${fillBudgetMs / 1000} s and was measured with those it took. Questions were asked for at most ${askBudgetMs / 1000} s.`;
}
