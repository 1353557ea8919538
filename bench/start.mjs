// How long the command takes to start, over a bare `node -e 0`.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { openMemory } from "../dist/index.js";
import { median, temporaryFolder } from "./measure.mjs";

const rounds = 30;
// These take a second or two.
const roundsWithModel = 12;
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
  const ask = (n, ...flags) => [
    main,
    "recall",
    `how do we deploy server${n} with a warm cache`,
    "--limit",
    "5",
    ...flags,
  ];
  const hybrid = (first, runtime) => ({
    args: (n) => [...ask(first + n, "--json"), ...place],
    env: { TACIT_ONNX: runtime },
    check: (answer) => JSON.parse(answer).mode === "hybrid",
    rounds: roundsWithModel,
  });
  const programs = {
    node: { args: () => ["-e", "0"] },
    version: { args: () => [main, "--version"] },
    words: { args: (n) => [...ask(n, "--words"), ...place] },
    // Into a store of its own: what waits for its vector would get it after an answer.
    remember: {
      args: (n) => [main, "remember", `memory ${n}`, "--db", join(folder.path, "other.db"), ...place.slice(2)],
    },
    hybridNode: hybrid(100, "node"),
    hybridWeb: hybrid(200, "web"),
  };
  const times = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
  // Turn by turn, so that what else the machine does hits all of them.
  for (let n = 0; n < rounds; n += 1) {
    for (const [name, program] of Object.entries(programs)) {
      if (n < (program.rounds ?? rounds)) times[name].push(run(name, program, n));
    }
  }
  folder.remove();
  const p50 = (name) => median(times[name]);
  const over = (name) => p50(name) - p50("node");
  return [
    { what: "node -e 0, ms p50", value: p50("node") },
    { what: "tacit --version / node -e 0", value: p50("version") / p50("node"), atMost: 1.5 },
    { what: "tacit recall --words over node -e 0, ms", value: over("words"), atMost: 120 },
    { what: "tacit recall over node -e 0, hybrid with onnxruntime-node, ms", value: over("hybridNode"), atMost: 900 },
    { what: "tacit recall over node -e 0, hybrid with onnxruntime-web, ms", value: over("hybridWeb"), atMost: 2500 },
    { what: "tacit remember over node -e 0, ms", value: over("remember") },
  ];
}

function run(name, { args, env = {}, check = () => true }, n) {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, args(n), {
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  const ms = performance.now() - start;
  if (status !== 0 || !check(stdout)) {
    throw new Error(`${name} failed: ${stderr || stdout}`);
  }
  return ms;
}
