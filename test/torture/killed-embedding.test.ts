// Embedding is killed at any moment, and done by several at once. Every memory has the vector of its own text in the end.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { expect, it } from "vitest";
import { askDatabase, library, startProgram, temporaryFolder, wait, type RunningProgram } from "./programs.js";
import { isFull, report } from "./scale.js";
import { randomFrom, sentence } from "./sentence.mjs";

const [kills, memories] = isFull ? [200, 3000] : [8, 300];

it("[V3] goes on after kill -9, wherever it was, and loses no memory and no vector", async () => {
  const { db, contents } = await storeOf(memories);
  const random = randomFrom(11);
  let deaths = 0;
  for (let round = 0; round < kills; round++) {
    const program = embed(db, { callMs: 10 });
    await program.heard((line) => "done" in line || "report" in line);
    await wait(random() * 60);
    program.kill();
    const { signal } = await program.ended;
    if (signal === "SIGKILL") deaths += 1;
    expect(program.lines.filter((line) => "error" in line)).toEqual([]);
    expect(await brokenVectors(db, contents)).toEqual([]);
  }

  const last = embed(db);
  await last.ended;

  report(`killed embedding: ${deaths} of ${kills} runs over ${memories} memories`);
  expect(deaths).toBeGreaterThan(0);
  expect(last.lines.at(-1)).toMatchObject({ report: { pending: 0, refused: 0 } });
  await expectAllEmbedded(db, contents);
});

it("[V3] does no harm when three processes do it at once, while texts change", async () => {
  const { db, contents } = await storeOf(memories);
  const { openMemory } = await library();
  const memory = await openMemory({ db, project: "p" });
  const programs = [1, 2, 3].map(() => embed(db, { callMs: 10 }));
  await Promise.all(programs.map((program) => program.heard((line) => "done" in line)));

  const revised = await memory.list({ limit: 10 });
  for (const { id, content } of revised) {
    await memory.revise(id, { content: `${content} Or not.` });
    contents.set(id, `${content} Or not.`);
  }
  await Promise.all(programs.map(({ ended }) => ended));
  await memory.close();
  const last = embed(db);
  await last.ended;

  expect(programs.flatMap(({ lines }) => lines).filter((line) => "error" in line)).toEqual([]);
  expect(last.lines.at(-1)).toMatchObject({ report: { pending: 0 } });
  await expectAllEmbedded(db, contents);
});

function embed(db: string, settings: object = {}): RunningProgram {
  return startProgram("embedding-program.mjs", { db, ...settings });
}

async function storeOf(count: number): Promise<{ db: string; contents: Map<string, string> }> {
  const db = join(temporaryFolder(), "memory.db");
  const { openMemory } = await library();
  const memory = await openMemory({ db, project: "p" });
  const random = randomFrom(count);
  const inputs = Array.from({ length: count }, (_, index) => ({ content: sentence(random, `memory ${index}`) }));
  const kept = await memory.rememberMany(inputs);
  await memory.close();
  return { db, contents: new Map(kept.map(({ id, content }) => [id, content])) };
}

async function expectAllEmbedded(db: string, contents: Map<string, string>): Promise<void> {
  const [row] = await askDatabase(
    db,
    `SELECT (SELECT count(*) FROM memories) AS memories, (SELECT count(*) FROM memory_vectors) AS vectors,
       (SELECT count(*) FROM memories WHERE embedded_by IS NULL) AS pending`,
  );
  expect(row).toEqual({ memories: contents.size, vectors: contents.size, pending: 0 });
  expect(await brokenVectors(db, contents)).toEqual([]);
  expect(await askDatabase(db, "PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
}

/** The memories that have a vector of anything but their own text, or are said to have one and have none. */
async function brokenVectors(db: string, contents: Map<string, string>): Promise<unknown[]> {
  const rows = await askDatabase(
    db,
    `SELECT m.id, m.embedded_by, hex(v.vector) AS vector FROM memories AS m
     LEFT JOIN memory_vectors AS v ON v.memory_key = m.key WHERE v.vector IS NOT NULL OR m.embedded_by IS NOT NULL`,
  );
  return rows.filter(
    ({ id, embedded_by, vector }) => embedded_by === null || vector !== hexOf(contents.get(String(id)) ?? ""),
  );
}

function hexOf(text: string): string {
  const vector = Float32Array.from(createHash("sha512").update(text).digest(), (byte) => (byte - 127.5) / 1024);
  return Buffer.from(vector.buffer).toString("hex").toUpperCase();
}
