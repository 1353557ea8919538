// Many processes write to one file at the same time. What was acknowledged must be there, and nobody is told to wait.
import { join } from "node:path";
import { expect, it } from "vitest";
import { askDatabase, library, startProgram, tacit, temporaryFolder, type RunningProgram } from "./programs.js";
import { report, scale } from "./scale.js";
import { randomFrom, sentence } from "./sentence.mjs";

interface Acknowledged {
  id: string;
  content: string;
}

it("[S1] loses nothing and refuses nobody when eight processes write at once, by library and command line", async () => {
  const db = join(temporaryFolder(), "memory.db");
  const begun = Date.now();
  const programs = Array.from({ length: scale.libraryWriters }, (_, index) =>
    startProgram("writer.mjs", {
      db,
      project: "p",
      name: `library ${index}`,
      seed: index,
      count: scale.writesOfLibraryWriter,
    }),
  );
  await Promise.all(programs.map((program) => program.heard((line) => line["ready"] === true)));

  for (const program of programs) program.tell();
  const [byCommand] = await Promise.all([
    Promise.all(
      Array.from({ length: scale.commandWriters }, async (_, index) => writeByCommand(db, `command ${index}`)),
    ),
    Promise.all(programs.map((program) => program.ended)),
  ]);

  const byLibrary = programs.flatMap((program) => acknowledgedBy(program));
  const acknowledged = [...byLibrary, ...byCommand.flatMap((one) => one.acknowledged)];
  const errors = [...programs.flatMap((program) => errorsOf(program)), ...byCommand.flatMap((one) => one.errors)];
  const stored = await contentsOf(db);
  const lost = acknowledged.filter(({ id, content }) => stored.get(id) !== content);
  report(
    `concurrent writes: ${acknowledged.length} acknowledged by ${scale.libraryWriters + scale.commandWriters} processes, ` +
      `${lost.length} lost, ${errors.length} errors, ${Date.now() - begun} ms`,
  );

  expect(errors).toEqual([]);
  expect(acknowledged).toHaveLength(
    scale.libraryWriters * scale.writesOfLibraryWriter + scale.commandWriters * scale.writesOfCommandWriter,
  );
  expect(lost).toEqual([]);
  expect(stored.size).toBe(acknowledged.length);
  await expectSound(db);
});

it("[S6] migrates a new file once when ten processes open it at the same moment", async () => {
  const db = join(temporaryFolder(), "memory.db");
  const programs = Array.from({ length: 10 }, (_, index) =>
    startProgram("writer.mjs", { db, project: `project ${index % 3}`, name: `opener ${index}`, seed: index, count: 3 }),
  );
  await Promise.all(programs.map((program) => program.heard((line) => line["ready"] === true)));

  for (const program of programs) program.tell();
  await Promise.all(programs.map((program) => program.ended));

  const acknowledged = programs.flatMap((program) => acknowledgedBy(program));
  const rows = await askDatabase(db, "SELECT id, content FROM memories");
  const migrations = await askDatabase(db, "SELECT number FROM schema_migrations ORDER BY number");
  const projects = await askDatabase(db, "SELECT id FROM projects ORDER BY id");
  expect(programs.flatMap((program) => errorsOf(program))).toEqual([]);
  expect(acknowledged).toHaveLength(30);
  expect(new Map(rows.map((row) => [row["id"], row["content"]]))).toEqual(
    new Map(acknowledged.map(({ id, content }) => [id, content])),
  );
  expect(migrations.map((row) => row["number"])).toEqual(migrations.map((_, index) => index + 1));
  expect(migrations.length).toBeGreaterThan(0);
  expect(projects.map((row) => row["id"])).toEqual(["project 0", "project 1", "project 2"]);
  await expectSound(db);
});

it("[S10] finds nothing wrong with a store while others write to it", async () => {
  const db = join(temporaryFolder(), "memory.db");
  const programs = Array.from({ length: 3 }, (_, index) =>
    startProgram("restless-writer.mjs", { db, project: "p", name: `writer ${index}`, seed: index }),
  );
  await Promise.all(programs.map((program) => program.heard((line) => "ids" in line)));

  const runs = [];
  for (let round = 0; round < 5; round++) runs.push(await tacit(["doctor", "--json", "--db", db, "--project", "p"]));

  for (const program of programs) program.kill();
  await Promise.all(programs.map((program) => program.ended));
  expect(programs.flatMap((program) => errorsOf(program))).toEqual([]);
  // Something purged may still wait for a reader to end: a warning, not damage.
  for (const run of runs) expect(findings(run.stdout, ["broken"])).toEqual([]);
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
});

/** Writes as a person or a hook does: one process for each memory. */
async function writeByCommand(db: string, name: string): Promise<{ acknowledged: Acknowledged[]; errors: unknown[] }> {
  const random = randomFrom(name.length);
  const acknowledged: Acknowledged[] = [];
  const errors: unknown[] = [];
  for (let index = 0; index < scale.writesOfCommandWriter; index++) {
    const content = sentence(random, `${name} ${index}`);
    const run = await tacit(["remember", content, "--db", db, "--project", "p", "--json"]);
    if (run.code === 0 && run.stderr === "")
      acknowledged.push({ id: (JSON.parse(run.stdout) as { id: string }).id, content });
    else errors.push(run);
  }
  return { acknowledged, errors };
}

function acknowledgedBy(program: RunningProgram): Acknowledged[] {
  return program.lines.filter((line) => typeof line["id"] === "string") as unknown as Acknowledged[];
}

function errorsOf(program: RunningProgram): unknown[] {
  return program.lines.flatMap((line) => ("error" in line ? [line["error"]] : []));
}

async function contentsOf(db: string): Promise<Map<string, string>> {
  const { openMemory } = await library();
  const memory = await openMemory({ db, project: "p" });
  const memories = await memory.list();
  await memory.close();
  return new Map(memories.map(({ id, content }) => [id, content]));
}

async function expectSound(db: string): Promise<void> {
  const run = await tacit(["doctor", "--json", "--db", db, "--project", "p"]);
  expect(findings(run.stdout, ["broken", "warning"])).toEqual([]);
  expect(run.code).toBe(0);
  const words = await askDatabase(db, "INSERT INTO memory_words (memory_words, rank) VALUES ('integrity-check', 1)");
  expect(words).toEqual([]);
}

function findings(stdout: string, statuses: string[]): unknown[] {
  const { checks } = JSON.parse(stdout) as { checks: { name: string; status: string }[] };
  expect(checks.map(({ name }) => name)).toEqual(expect.arrayContaining(["store", "pages", "indexes"]));
  return checks.filter(({ status }) => statuses.includes(status));
}
