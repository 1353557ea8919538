// Writers are killed at any moment, without a chance to tidy up. What was acknowledged must be there all the same.
import { join } from "node:path";
import { expect, it } from "vitest";
import { Ledger } from "./ledger.js";
import { askDatabase, library, startProgram, temporaryFolder, wait } from "./programs.js";
import { report, scale } from "./scale.js";

const writersAtOnce = 4;

it("[S1] loses nothing that was acknowledged when writers are killed at random, and stays sound", async () => {
  const db = join(temporaryFolder(), "memory.db");
  const ledger = new Ledger();
  const begun = Date.now();
  let started = 0;
  let kills = 0;

  for (let round = 1; round <= scale.killRounds; round++) {
    const killsByNow = Math.round((scale.kills * round) / scale.killRounds);
    const lane = async () => {
      // A writer that is running already will be killed too.
      while (started < killsByNow) {
        await killOneWriter(db, ledger, started++);
        kills += 1;
      }
    };
    await Promise.all(Array.from({ length: writersAtOnce }, lane));

    expect(ledger.errors).toEqual([]);
    await expectAsAcknowledged(db, ledger);
  }

  report(
    `killed writers: ${kills} kills, ${ledger.acknowledged} changes acknowledged, 0 lost, ` +
      `${ledger.errors.length} errors, ${Date.now() - begun} ms`,
  );
  expect(kills).toBe(scale.kills);
  expect(ledger.acknowledged).toBeGreaterThanOrEqual(scale.kills);
});

it("[S6] recovers a new file whose first openers are killed while they create it", async () => {
  let acknowledged = 0;
  for (let round = 0; round < scale.killsDuringFirstOpen; round++) {
    const db = join(temporaryFolder(), "memory.db");
    const settings = { db, project: "p", count: 3 };
    const programs = Array.from({ length: 3 }, (_, index) =>
      startProgram("writer.mjs", { ...settings, name: `first ${index}`, seed: index }),
    );
    await Promise.all(programs.map((program) => program.heard((line) => line["ready"] === true)));

    // One, two or all three of them, so that now and then nobody is left who could have finished.
    for (const program of programs) program.tell();
    await Promise.all(
      programs.slice(0, 1 + (round % 3)).map(async (program) => {
        await wait(Math.random() * 80);
        program.kill();
      }),
    );
    await Promise.all(programs.map((program) => program.ended));
    const late = startProgram("writer.mjs", { ...settings, name: "late", seed: 9 });
    late.tell();
    await late.ended;

    const lines = [...programs, late].flatMap((program) => program.lines);
    const rows = new Map(
      (await askDatabase(db, "SELECT id, content FROM memories")).map((row) => [row["id"], row["content"]]),
    );
    const migrations = await askDatabase(db, "SELECT number FROM schema_migrations ORDER BY number");
    expect(lines.filter((line) => "error" in line)).toEqual([]);
    for (const { id, content } of lines.filter((line) => "id" in line)) expect(rows.get(id)).toBe(content);
    expect(late.lines.filter((line) => "id" in line)).toHaveLength(3);
    expect(migrations.map((row) => row["number"])).toEqual(migrations.map((_, index) => index + 1));
    await expectSound(db);
    acknowledged += lines.filter((line) => "id" in line).length;
  }
  report(`killed during the first open: ${scale.killsDuringFirstOpen} new files, ${acknowledged} acknowledged, 0 lost`);
});

/** Starts a writer, lets it work for a moment that nobody chose, and kills it. */
async function killOneWriter(db: string, ledger: Ledger, number: number): Promise<void> {
  const page = ledger.openPage();
  const writer = startProgram(
    "restless-writer.mjs",
    { db, project: "p", name: `writer ${number}`, seed: number },
    { onLine: page.hear },
  );
  await writer.heard((line) => "ids" in line || "error" in line);
  await wait(5 + Math.random() * 145);
  writer.kill();
  const { signal, stderr } = await writer.ended;
  expect({ signal, stderr }).toEqual({ signal: "SIGKILL", stderr: "" });
  page.died();
}

async function expectAsAcknowledged(db: string, ledger: Ledger): Promise<void> {
  const { openMemory } = await library();
  const memory = await openMemory({ db, project: "p" });
  const memories = await memory.list({ status: "any" });
  const sampled = ledger.sample(50);
  const notFound: string[] = [];
  for (const { id, content } of sampled) {
    const results = await memory.recall(content.slice(0, 120), { limit: 20 });
    if (!results.some((result) => result.memory.id === id)) notFound.push(content);
  }
  await memory.close();

  expect(ledger.compare(memories)).toEqual([]);
  expect(sampled.length).toBeGreaterThan(0);
  expect(notFound).toEqual([]);
  await expectSound(db);
}

async function expectSound(db: string): Promise<void> {
  const { openMemory } = await library();
  const memory = await openMemory({ db, project: "p" });
  const diagnosis = await memory.store.diagnose();
  await memory.close();

  expect(diagnosis).toMatchObject({ ok: true });
  expect(diagnosis.checks.filter(({ status }) => status !== "ok")).toEqual([]);
  // Throws when the full text index does not say what its rows say.
  expect(await askDatabase(db, "INSERT INTO memory_words (memory_words, rank) VALUES ('integrity-check', 1)")).toEqual(
    [],
  );
}
