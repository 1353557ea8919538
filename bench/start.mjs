// How long the command takes to start, over a bare `node -e 0`.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { openMemory } from "../dist/index.js";
import { median, temporaryFolder } from "./measure.mjs";

const rounds = 30;
const main = join(import.meta.dirname, "..", "dist", "cli", "main.js");

export async function measureStart() {
  const folder = temporaryFolder();
  const db = join(folder.path, "memory.db");
  const memory = await openMemory({ db, project: "bench" });
  await memory.rememberMany(
    Array.from({ length: 500 }, (_, n) => ({ content: `Server${n} wants its cache warmed before deploy ${n}` })),
  );
  await memory.close();

  const programs = {
    node: ["-e", "0"],
    version: [main, "--version"],
    recall: [main, "recall", "how do we deploy with a warm cache", "--limit", "5", "--db", db, "--project", "bench"],
    remember: [main, "remember", "placeholder", "--db", db, "--project", "bench"],
  };
  const times = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
  // Turn by turn, so that what else the machine does hits all of them.
  for (let n = 0; n < rounds; n += 1) {
    for (const [name, args] of Object.entries(programs)) {
      const start = performance.now();
      const run = spawnSync(
        process.execPath,
        args.map((arg) => (arg === "placeholder" ? `memory ${n}` : arg)),
      );
      times[name].push(performance.now() - start);
      if (run.status !== 0) throw new Error(`${name} failed: ${String(run.stderr)}`);
    }
  }
  folder.remove();
  const p50 = (name) => median(times[name]);
  return [
    { what: "node -e 0, ms p50", value: p50("node") },
    { what: "tacit --version / node -e 0", value: p50("version") / p50("node"), atMost: 1.5 },
    { what: "tacit recall over node -e 0, ms", value: p50("recall") - p50("node"), atMost: 120 },
    { what: "tacit remember over node -e 0, ms", value: p50("remember") - p50("node") },
  ];
}
