// How much of an attack comes through: one table, for any build of the product.
// `node bench/attack.mjs [--product FOLDER] [--tests FOLDER] [--attacks FOLDER] [--only NAME]… [--verbose]`
//
// The first rows count the tests of test/hostile that fail, run from --tests (this tree) against the code of --product;
// the others show printed lines to --product through its public API.
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { channelSuite } from "./attack/channel-suite.mjs";
import { measurePrinted, readAttacks } from "./attack/printed-lines.mjs";
import { runSuites } from "./attack/run-suites.mjs";

const here = dirname(import.meta.dirname);
const { values } = parseArgs({
  options: {
    product: { type: "string", default: here },
    tests: { type: "string", default: here },
    attacks: { type: "string", default: join(here, "..", "shared", "data", "hostile") },
    only: { type: "string", multiple: true },
    verbose: { type: "boolean", default: false },
  },
});

const suites = {
  "trust written from a tool call": { paths: ["test/hostile/inside-a-tool-call.hard.test.ts"], counts: /\[TR[12]\]/ },
  "channels unmarked": { paths: [channelSuite.needs], added: channelSuite, counts: /^\[outside\]/ },
  "inside calls marked": { paths: [channelSuite.needs], added: channelSuite, counts: /^\[inside\]/ },
  "paraphrases active": { paths: ["test/hostile/paraphrased-payloads"], counts: /\[TR93\] is neither/ },
  "honest statements refused": { paths: ["test/hostile/paraphrased-payloads"], counts: /\[TR94\]/ },
};
const isWanted = (name) => !values.only || values.only.includes(name);

console.log("| attack | comes through | of |\n|---|---:|---:|");
const ran = new Map();
for (const [name, { paths, added, counts }] of Object.entries(suites)) {
  if (!isWanted(name)) continue;
  const key = paths.join();
  const [product, tests] = [resolve(values.product), resolve(values.tests)];
  if (!ran.has(key)) ran.set(key, runSuites({ product, tests, paths, added }));
  const all = ran.get(key)?.filter((test) => counts.test(test.name));
  const failed = all?.filter(({ isPassed }) => !isPassed) ?? [];
  print(name, all?.length ? failed.length : undefined, all?.length || undefined);
  if (values.verbose) for (const test of failed) console.log(`|   ${test.name} | | |`);
}
if (isWanted("printed lines")) {
  const measured = await measurePrinted(resolve(values.product), readAttacks(values.attacks));
  for (const kind of new Set(measured.map((one) => one.kind))) {
    const own = measured.filter((one) => one.kind === kind);
    print(`${kind} told`, sum(own, "told"), sum(own, "of"));
    if (values.verbose) for (const { what, told, of } of own) print(`  ${what}`, told, of);
  }
}

function print(name, through, of) {
  console.log(`| ${name} | ${through ?? "n/a"} | ${of ?? "n/a"} |`);
}

function sum(rows, name) {
  return rows.reduce((total, row) => total + row[name], 0);
}
