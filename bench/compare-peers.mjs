// Tacit beside what others use for the same: one table of quality and scale, every figure from this run.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisesOf } from "./peer-promises.mjs";
import { measurePeerQuality } from "./peer-quality.mjs";
import { askBudgetMs, measurePeerScale } from "./peer-scale.mjs";
import { isOurs, peers } from "./peers/peers.mjs";
import { renderTable } from "./render-table.mjs";
import { fillBudgetMs, prepareScale } from "./scale-stores.mjs";

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
    rows: promisesOf(lines, { base, largest: sizes.at(-1) }),
  };
}

async function compareQuality(lines) {
  for (const peer of Object.keys(peers)) {
    const scores = await attempt(peer, "quality", () => measurePeerQuality(peer));
    for (const [what, value] of Object.entries(scores ?? {})) lineOf(lines, what).values[peer] = value;
  }
}

async function compareScale(lines, total) {
  const scale = prepareScale(total);
  for (const peer of Object.keys(peers)) {
    const measured = await attempt(peer, `${total}`, () => measurePeerScale(peer, scale));
    for (const [what, value] of Object.entries(measured?.measures ?? {})) {
      const line = lineOf(lines, `${total.toLocaleString("en")}: ${what}`);
      line.values[peer] = value;
      line.isCount = counts.has(what);
      if (!measured.isWhole) line.cut.push(peer);
    }
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

function lineOf(lines, what) {
  if (!lines.has(what)) lines.set(what, { what, values: {}, cut: [] });
  return lines.get(what);
}

function introduction() {
  const { dependencies } = JSON.parse(readFileSync(join(import.meta.dirname, "package.json"), "utf8"));
  const versions = Object.entries(dependencies).map(([name, version]) => `${name} ${version}`);
  return `Every figure is of this run; in brackets its ratio to Tacit, hybrid. Versions: ${versions.join(", ")}.
Each peer ran in processes of its own, without network. LoCoMo: conversations 1, 3 and 5 were tuned on, 2 and 4 held out.
Session-level: the sessions that answer, among the first five different sessions of the ranking.
\\* did not take all memories within ${fillBudgetMs / 1000} s and was measured with those it took. Questions were asked for at most ${askBudgetMs / 1000} s.`;
}
