// An import is killed at any moment. Nothing of it is there, or, once it was committed, all of it; and it can be repeated.
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { askDatabase, library, startProgram, temporaryFolder, wait, type RunningProgram } from "./programs.js";
import { isFull, report } from "./scale.js";
import { randomFrom, sentence } from "./sentence.mjs";

const known = "known before";
const [imports, memories] = isFull ? [40, 10_000] : [4, 2000];

it("[E6] leaves nothing of an import that is killed half-way, and a repeat gives the whole", async () => {
  const file = fileOfMemories(memories);
  const outcomes = { nothing: 0, everything: 0 };
  for (let round = 0; round < imports; round++) {
    const { db, folder, temporary } = await storeWithOneMemory();
    const importer = await startImport({ db, file, temporary });

    await killSomewhere(importer, round);
    const acknowledged = importer.lines.some((line) => "report" in line);
    const left = await contentsOf(db);
    const repeated = await startImport({ db, file, temporary });
    await repeated.ended;

    const isWhole = left.length === 1 + memories;
    expect({ isWhole, left: isWhole ? "everything" : left }).toEqual(
      // It may have been killed after the commit and before it could say so.
      acknowledged || isWhole ? { isWhole: true, left: "everything" } : { isWhole: false, left: [known] },
    );
    expect(importer.lines.filter((line) => "error" in line)).toEqual([]);
    expect(readdirSync(temporary)).toEqual([]);
    expect(readdirSync(folder).filter((name) => !/^memory\.db(?:-wal|-shm)?$/.test(name))).toEqual([]);
    expect(repeated.lines.at(-1)).toMatchObject({
      report: { added: isWhole ? 0 : memories, unchanged: isWhole ? memories : 0 },
    });
    expect(await contentsOf(db)).toHaveLength(1 + memories);
    await expectSound(db);
    outcomes[isWhole ? "everything" : "nothing"] += 1;
  }

  report(
    `killed imports: ${imports} of ${memories} memories each, nothing left of ` +
      `${outcomes.nothing}, ${outcomes.everything} were through`,
  );
  expect(outcomes.nothing).toBeGreaterThan(0);
  expect(outcomes.everything).toBeGreaterThan(0);
});

it("[E6] lets others read while it writes, and those who want to write are told after their time-out", async () => {
  const { db, folder, temporary } = await storeWithOneMemory();
  const goOn = join(folder, "go-on");
  const file = fileOfMemories(memories);
  const importer = await startImport({ db, file, temporary, pauseAt: memories / 2, goOn });
  await importer.heard(({ phase, done }) => phase === "writing" && Number(done) >= memories / 2);
  const { openMemory } = await library();
  const memory = await openMemory({ db, project: "p", timeoutMs: 250 });

  const seen = await memory.list({ status: "any" });
  const found = await memory.recall("known");
  const error: unknown = await memory.remember({ content: "too early" }).catch((reason: unknown) => reason);
  writeFileSync(goOn, "");
  await importer.ended;
  const afterwards = await memory.remember({ content: "in time" });
  const all = await memory.list({ status: "any" });
  await memory.close();

  expect(seen.map(({ content }) => content)).toEqual([known]);
  expect(found.map((result) => result.memory.content)).toEqual([known]);
  expect(error).toMatchObject({ name: "MemoryError", code: "store-locked" });
  expect(importer.lines.at(-1)).toMatchObject({ report: { added: memories } });
  expect(afterwards.merged).toBe(false);
  expect(all).toHaveLength(memories + 2);
});

/** One of four dies while it reads, two while they write, and one that has just said that it is through. */
async function killSomewhere(importer: RunningProgram, round: number): Promise<void> {
  const phase = ["reading", "writing", "writing", "none"][round % 4];
  const done = Math.random() * memories;
  await importer.heard((line) => "report" in line || (line["phase"] === phase && Number(line["done"]) >= done));
  await wait(phase === "none" ? 0 : Math.random() * 40);
  importer.kill();
  await importer.ended;
}

async function startImport(settings: {
  db: string;
  file: string;
  temporary: string;
  pauseAt?: number;
  goOn?: string;
}): Promise<RunningProgram> {
  const under = `TMPDIR='${settings.temporary}' exec "$@"`;
  const importer = startProgram("importer.mjs", { project: "p", ...settings }, { under });
  await importer.heard((line) => line["ready"] === true);
  importer.tell();
  return importer;
}

async function storeWithOneMemory(): Promise<{ db: string; folder: string; temporary: string }> {
  const folder = temporaryFolder();
  const db = join(folder, "memory.db");
  const { openMemory } = await library();
  const memory = await openMemory({ db, project: "p" });
  await memory.remember({ content: known });
  await memory.close();
  return { db, folder, temporary: temporaryFolder() };
}

/** Memories as an export holds them: with ids and times, names, and relations that lead back and forth. */
function fileOfMemories(count: number): string {
  const random = randomFrom(count);
  const idOf = (n: number) => `0193a0c2-0000-7000-8000-${(n % count).toString(16).padStart(12, "0")}`;
  const at = "2026-01-01T00:00:00.000Z";
  const lines = Array.from({ length: count }, (_, n) =>
    JSON.stringify({
      id: idOf(n),
      content: sentence(random, `memory ${n}`),
      tags: [`tag${n % 7}`],
      createdAt: at,
      storedAt: at,
      updatedAt: at,
      relatedFiles: [`src/file${n % 11}.ts`],
      ...(n % 10 === 0 && { name: `name ${n}`, relations: [{ kind: "validates", memory: idOf(n + 5) }] }),
    }),
  );
  const file = join(temporaryFolder(), "memories.jsonl");
  writeFileSync(file, lines.join("\n"));
  return file;
}

async function contentsOf(db: string): Promise<unknown[]> {
  return (await askDatabase(db, "SELECT content FROM memories")).map((row) => row["content"]);
}

async function expectSound(db: string): Promise<void> {
  const { openMemory } = await library();
  const memory = await openMemory({ db, project: "p" });
  const { checks } = await memory.store.diagnose();
  await memory.close();

  expect(checks.filter(({ status }) => status === "broken")).toEqual([]);
  // Throws when the full text index does not say what its rows say.
  expect(await askDatabase(db, "INSERT INTO memory_words (memory_words, rank) VALUES ('integrity-check', 1)")).toEqual(
    [],
  );
}
