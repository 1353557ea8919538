// `npm run bench [quality|scale|peers|write|import|start|secrets …]`: measures, compares with what is promised, writes RESULTS.md.
import { writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { comparePeers } from "./compare-peers.mjs";
import { haveCorpora } from "./corpora.mjs";
import { measureImport } from "./import.mjs";
import { installPeers } from "./install-peers.mjs";
import { measureQuality } from "./quality.mjs";
import { readable } from "./render-table.mjs";
import { measureScale } from "./scale.mjs";
import { measureSecrets } from "./secrets.mjs";
import { measureStart } from "./start.mjs";
import { measureWrites } from "./write.mjs";

const parts = {
  quality: ["Quality, words only", measureQuality, "corpora"],
  scale: ["100,000 memories", measureScale, "corpora"],
  peers: ["Beside its peers", comparePeers, "corpora and peers"],
  write: ["One write", measureWrites],
  import: ["Import of 100,000 memories", measureImport],
  start: ["Start-up", measureStart],
  secrets: ["Secrets", measureSecrets],
};
const wanted = process.argv.slice(2).length > 0 ? process.argv.slice(2) : Object.keys(parts);
const header = `# Results

Measured ${new Date().toISOString().slice(0, 10)} with \`npm run bench\` on Node ${process.versions.node}, ${process.platform}, ${cpus().length} cores,
${Math.round(totalmem() / 2 ** 30)} GB. The machine was shared: ratios within one run are sturdier than times.`;
const sections = [];
let missed = 0;

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
  const section = renderSection(title, await measure());
  console.log(`${section}\n`);
  sections.push(section);
}

// Parts of a run are for looking; the file always holds a whole one.
if (sections.length === Object.keys(parts).length) {
  writeFileSync(join(import.meta.dirname, "RESULTS.md"), `${[header, ...sections].join("\n\n")}\n`);
}
if (missed > 0) console.error(`${missed} missed.`);
process.exitCode = missed > 0 ? 1 : 0;

function renderSection(title, measured) {
  const { text, rows } = Array.isArray(measured) ? { rows: measured } : measured;
  const lines = rows.map(({ what, value, atLeast, atMost }) => {
    const asked = atLeast !== undefined ? `>= ${atLeast}` : atMost !== undefined ? `<= ${atMost}` : "";
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
