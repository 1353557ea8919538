// How many planted drifts of the code are seen: node bench/drift.mjs (after npm run build). --all tells every memory.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openMemory } from "../dist/index.js";
import { cases } from "./drift/cases.mjs";
import { countByKind, measureDrift } from "./drift/measure-drift.mjs";

const root = mkdtempSync(join(tmpdir(), "tacit-drift-"));
try {
  const memory = await openMemory({ db: join(root, "memory.db"), directory: root, embedder: null });
  const { memories, early, indexedMs } = await measureDrift(memory, root, cases);
  await memory.close();
  const percent = (part, whole) => `${part}/${whole} (${((100 * part) / whole).toFixed(1)} %)`;
  const counts = [...countByKind(memories)];
  const sum = (field) => counts.reduce((total, [, count]) => total + count[field], 0);
  const all = Object.fromEntries(
    ["affected", "flagged", "asRight", "unaffected", "wrongly"].map((field) => [field, sum(field)]),
  );
  for (const [kind, { affected, flagged, asRight, unaffected, wrongly }] of [...counts, ["all", all]]) {
    console.log(
      `${kind.padEnd(18)}  affected flagged ${percent(flagged, affected)}, as right ${percent(asRight, affected)}; unaffected flagged ${percent(wrongly, unaffected)}`,
    );
  }
  console.log(
    `${cases.length} cases, ${early} flagged before anything changed; the indexing that saw all changes took ${indexedMs} ms`,
  );
  for (const { kind, name, text, outcome, found, reasons } of memories) {
    const isRight = found === outcome;
    if (isRight && !process.argv.includes("--all")) continue;
    console.log(
      `${isRight ? "ok   " : "WRONG"} ${kind}, ${name}: ${outcome ?? "holds"}, found ${found ?? "holds"}\n      ${text}\n      ${reasons.join("; ")}`,
    );
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
