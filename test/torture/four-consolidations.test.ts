// Four processes converse and consolidate at once, each in sessions of its own, all with the same memory; a fifth reads
// MEMORY.md all the while.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startProgram, temporaryFolder } from "./programs.js";
import { isFull, report, scale } from "./scale.js";
import { compareFiles, TalkLedger } from "./talk-ledger.js";

const project = "talks";

it("[Z4] [D2] [X13] [X15] loses no entry and no update of four processes, and shows no torn MEMORY.md", async () => {
  const home = join(temporaryFolder(), "home");
  mkdirSync(home);
  writeFileSync(
    join(home, "tacit.config.json"),
    JSON.stringify({ memoryWindow: 6, keepCount: 2, maxMemorySize: 1_000_000 }),
  );
  const file = join(home, "layers", project, "MEMORY.md");
  const ledgers = [0, 1, 2, 3].map(() => new TalkLedger());
  const reader = startProgram("memory-file-reader.mjs", { file });
  await reader.heard((line) => line["ready"] === true);
  const begun = Date.now();

  const programs = ledgers.map((ledger, who) =>
    startProgram(
      "conversation-program.mjs",
      {
        home,
        project,
        sessions: [`of ${who}`, `also of ${who}`],
        life: `who${who}`,
        seed: isFull ? Math.floor(Math.random() * 2 ** 31) : who,
        rounds: scale.consolidationsOfEach,
        // Two of them end up with what a model says, and every one leaves some to the rules and to what goes on by itself.
        acts: who % 2 === 0 ? ["model", "none", "rules"] : ["rules", "new", "none", "compact"],
      },
      { onLine: (line) => ledger.hear(line) },
    ),
  );
  const endings = await Promise.all(programs.map((program) => program.ended));
  const ms = Date.now() - begun;
  reader.tell();
  await reader.ended;

  expect(endings.map(({ stderr }) => stderr)).toEqual(["", "", "", ""]);
  expect(ledgers.flatMap(({ errors }) => errors)).toEqual([]);
  expect(programs.map(({ lines }) => lines.at(-1)?.["closed"])).toEqual([true, true, true, true]);
  expect(await Promise.all(ledgers.map((ledger) => ledger.compare(home)))).toEqual([[], [], [], []]);
  expect(await compareFiles(home, project, { noted: "all" })).toEqual([]);
  expect(reader.lines.filter((line) => "torn" in line || "lost" in line)).toEqual([]);
  const { reads, texts, lines } = reader.lines.at(-1) as { reads: number; texts: number; lines: number };
  expect(texts).toBeGreaterThan(2);
  const archives = ledgers.reduce((sum, { consolidated }) => sum + consolidated.archives, 0);
  const learned = ledgers.reduce((sum, { consolidated }) => sum + consolidated.lines, 0);
  expect(lines).toBeGreaterThan(learned);
  report(
    `four consolidations: ${archives} archives, ${learned} lines of models, ${lines} lines in MEMORY.md, ` +
      `read ${reads} times in ${texts} versions, ${ms} ms`,
  );
});
