// `npm run bench [quality|scale|resident|peers|…]`: measures, compares with what is promised, writes RESULTS.md.
import { writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { measureArchives } from "./archives.mjs";
import { comparePeers } from "./compare-peers.mjs";
import { measureContradictions } from "./contradictions.mjs";
import { measureConversation } from "./conversation.mjs";
import { haveCorpora } from "./corpora.mjs";
import { measureHooks } from "./hooks.mjs";
import { measureImport } from "./import.mjs";
import { measureInit } from "./init.mjs";
import { installPeers } from "./install-peers.mjs";
import { measureLargeJson } from "./large-json.mjs";
import { temporaryFolder } from "./measure.mjs";
import { measureObserverSpeed } from "./observer-speed.mjs";
import { measureObserver } from "./observer.mjs";
import { measureQuality } from "./quality.mjs";
import { readable } from "./render-table.mjs";
import { measureResident } from "./resident.mjs";
import { measureScale } from "./scale.mjs";
import { measureSecrets } from "./secrets.mjs";
import { measureStart } from "./start.mjs";
import { measureWrites } from "./write.mjs";

const parts = {
  quality: ["Quality", measureQuality, "corpora"],
  archives: ["Archives beside turns", measureArchives, "corpora"],
  scale: ["100,000 memories", measureScale, "corpora"],
  resident: ["A process that stays, 10,000 memories", measureResident, "corpora"],
  peers: ["Beside its peers", comparePeers, "corpora and peers"],
  write: ["One write", measureWrites],
  import: ["Import of 100,000 memories", measureImport],
  start: ["Start-up", measureStart],
  init: ["Learning this repository", measureInit],
  secrets: ["Secrets", measureSecrets],
  observer: ["Learning from 200 generated sessions", measureObserver],
  "observer-speed": ["Watching sessions of 5,000 events", measureObserverSpeed],
  hooks: ["Hooks of an agent", measureHooks],
  "large-json": ["JSON made to be walked for ever", measureLargeJson],
  conversation: ["Conversations", measureConversation],
  contradictions: ["Contradictions by rule", () => measureContradictions()],
};
const wanted = process.argv.slice(2).length > 0 ? process.argv.slice(2) : Object.keys(parts);
const sections = [];
let missed = 0;

// Nobody's own settings: they may name another model, or a server.
process.env.TACIT_HOME = temporaryFolder().path;
delete process.env.TACIT_EMBEDDING;
delete process.env.TACIT_ONNX;

for (const name of wanted) {
  const [title, measure, needs] = parts[name] ?? [];
  if (!measure) {
    console.error(`There is no benchmark "${name}". Use: ${Object.keys(parts).join(", ")}.`);
    process.exit(2);
  }
  if (needs?.includes("corpora") && !haveCorpora()) {
    console.warn(`SKIPPED ${title}: its corpora are not in ../shared/data beside the clone.`);
    continue;
  }
  if (needs?.includes("peers") && !installPeers()) {
    console.warn(`SKIPPED ${title}: they could not be installed.`);
    continue;
  }
  console.error(`${title} …`);
  const started = performance.now();
  const section = renderSection(title, await measure());
  console.log(`${section}\n`);
  console.error(`${title}: ${minutes(performance.now() - started)} minutes.`);
  sections.push(section);
}
console.error(`The whole run: ${minutes(performance.now())} minutes.`);

// Parts of a run are for looking; the file always holds a whole one.
if (sections.length === Object.keys(parts).length) {
  writeFileSync(join(import.meta.dirname, "RESULTS.md"), `${[renderHeader(), ...sections].join("\n\n")}\n`);
}
if (missed > 0) console.error(`${missed} missed.`);
process.exitCode = missed > 0 ? 1 : 0;

function minutes(ms) {
  return (ms / 60_000).toFixed(1);
}

function renderHeader() {
  return `# Results

Measured ${new Date().toISOString().slice(0, 10)} with \`npm run bench\` on Node ${process.versions.node}, ${process.platform}, ${cpus().length} cores,
${Math.round(totalmem() / 2 ** 30)} GB, in ${minutes(performance.now())} minutes, with onnxruntime-${haveNativeRuntime() ? "node" : "web"}. The machine was shared: ratios within one
run are sturdier than times.`;
}

function haveNativeRuntime() {
  try {
    return Boolean(import.meta.resolve("onnxruntime-node"));
  } catch {
    return false;
  }
}

function renderSection(title, measured) {
  const { text, rows } = Array.isArray(measured) ? { rows: measured } : measured;
  const lines = rows.map(({ what, value, atLeast, atMost }) => {
    const asked = atLeast !== undefined ? `>= ${exact(atLeast)}` : atMost !== undefined ? `<= ${exact(atMost)}` : "";
    const held = (atLeast === undefined || value >= atLeast) && (atMost === undefined || value <= atMost);
    if (!held) missed += 1;
    return `| ${what} | ${readable(value)} | ${asked} | ${asked === "" ? "" : held ? "held" : "**missed**"} |`;
  });
  return [
    `## ${title}`,
    "",
    ...(text ? [text, ""] : []),
    "| | measured | asked | |",
    "|---|---|---|---|",
    ...lines,
  ].join("\n");
}

/** A bound as it was asked for: 69, 0.42, 0.667. */
function exact(bound) {
  return String(Number(bound.toFixed(3)));
}
