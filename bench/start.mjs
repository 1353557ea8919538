// How long the command takes to start, over a bare `node -e 0`.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { openMemory } from "../dist/index.js";
import { median, temporaryFolder } from "./measure.mjs";
import { mean } from "./scores.mjs";

const rounds = 30;
// Those with a model take a second or two, so they run in every third round only.
const seldom = 3;
const main = join(import.meta.dirname, "..", "dist", "cli", "main.js");

export async function measureStart() {
  const folder = temporaryFolder();
  const db = join(folder.path, "memory.db");
  const memory = await openMemory({ db, project: "bench" });
  await memory.rememberMany(
    Array.from({ length: 500 }, (_, n) => ({ content: `Server${n} wants its cache warmed before deploy ${n}` })),
  );
  await memory.embedPending();
  await memory.close();

  const place = ["--db", db, "--project", "bench"];
  // Another question each time: Tacit knows the vectors of those it has seen.
  const ask = (n) => [
    main,
    "recall",
    `how do we deploy server${n} with a warm cache`,
    "--limit",
    "5",
    "--json",
    ...place,
  ];
  const programs = {
    node: { args: () => ["-e", "0"] },
    version: { args: () => [main, "--version"] },
    words: { args: (n) => [...ask(n), "--words"] },
    "onnxruntime-node": { args: (n) => ask(100 + n), env: { TACIT_ONNX: "node" }, every: seldom },
    "onnxruntime-web": { args: (n) => ask(200 + n), env: { TACIT_ONNX: "web" }, every: seldom },
    // Into a store of its own: what waits for its vector would get it after an answer.
    remember: {
      args: (n) => [main, "remember", `memory ${n}`, "--db", join(folder.path, "other.db"), ...place.slice(2)],
    },
  };
  const runs = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
  // Turn by turn, so that what else the machine does hits all of them.
  for (let n = 0; n < rounds; n += 1) {
    for (const [name, program] of Object.entries(programs)) {
      if (n % (program.every ?? 1) === 0) runs[name].push(run(program, n));
    }
  }
  folder.remove();
  const p50 = (name) => median(runs[name].map(({ ms }) => ms));
  const over = (name) => p50(name) - p50("node");
  const hybrid = (name, atMost) => [
    { what: `tacit recall over node -e 0, hybrid with ${name}, ms`, value: over(name), atMost },
    // A model that is not loaded in time is not waited for.
    { what: "… answered by words instead, %", value: 100 * mean(runs[name].map(isByWords)), atMost: 0 },
  ];
  return [
    { what: "node -e 0, ms p50", value: p50("node") },
    { what: "tacit --version / node -e 0", value: p50("version") / p50("node"), atMost: 1.3 },
    { what: "tacit recall --words over node -e 0, ms", value: over("words"), atMost: 80 },
    ...hybrid("onnxruntime-node", 900),
    ...hybrid("onnxruntime-web", 2500),
    { what: "tacit remember over node -e 0, ms", value: over("remember") },
  ];
}

function run({ args, env = {} }, n) {
  const start = performance.now();
  const options = { encoding: "utf8", env: { ...process.env, ...env } };
  const { status, stdout, stderr } = spawnSync(process.execPath, args(n), options);
  const ms = performance.now() - start;
  if (status !== 0) throw new Error(`${args(n).join(" ")} failed: ${stderr}`);
  return { ms, stdout };
}

function isByWords({ stdout }) {
  return JSON.parse(stdout).mode === "words" ? 1 : 0;
}
