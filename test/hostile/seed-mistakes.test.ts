// What earlier designs of such a memory got wrong, each once, so that it stays right here.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { built } from "../support/child-process.js";
import { movableClock, openTestMemory } from "../support/open-memories.js";
import { temporaryFolder } from "../support/temporary-folder.js";

describe("Tacit", () => {
  it("[X1] answers a question by its text, not by what happens to be newest", async () => {
    const memory = await openTestMemory();
    const deploy = await memory.remember({ content: "deploy with the blue script" });
    await memory.rememberMany(["lunch is at noon", "the printer is upstairs"].map((content) => ({ content })));

    const results = await memory.recall("which script do we deploy with?");

    expect(results.map((result) => result.memory.id)).toEqual([deploy.id]);
    expect(await memory.recall("zebra")).toEqual([]);
  });

  it("[X2] writes the very first memory to disk", async () => {
    const db = join(temporaryFolder(), "new", "memory.db");
    const memory = await openTestMemory({ db });

    await memory.remember({ content: "the first one ever" });
    const said = inAnotherProcess(db, "(await memory.list()).map(({ content }) => content)");
    await memory.close();

    expect(said).toEqual(["the first one ever"]);
    expect(existsSync(db)).toBe(true);
    expect(await (await openTestMemory({ db })).list()).toHaveLength(1);
  });

  it("[X3] saves that something was forgotten: another process no longer finds it", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const memory = await openTestMemory({ db });
    const { id } = await memory.remember({ content: "let this go", name: "gone" });
    const view = `[(await memory.list()).length, (await memory.recall("go")).length, (await memory.get("gone")) ?? null]`;
    const before = inAnotherProcess(db, view);

    await memory.forget(id);

    expect(before).toMatchObject([1, 1, { id }]);
    expect(inAnotherProcess(db, view)).toEqual([0, 0, null]);
  });

  it.each([
    ["cut off", (bytes: Buffer) => bytes.subarray(0, 5000)],
    ["overwritten in the middle", (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 100), Buffer.alloc(8192, "x")])],
    ["another kind of file", () => Buffer.from('{"memories": [{"content": "something of value"}]}')],
  ])("[X4] never takes a file that is %s for an empty store, and never writes over it", async (_how, damage) => {
    const folder = temporaryFolder();
    const memory = await openTestMemory({ db: join(folder, "whole.db") });
    await memory.rememberMany(Array.from({ length: 50 }, (_, n) => ({ content: `something of value ${n}` })));
    // A copy, because the log beside the file itself would still hold everything.
    const db = join(folder, "memory.db");
    await memory.store.backup(db);
    const damaged = Buffer.from(damage(readFileSync(db)));
    writeFileSync(db, damaged);

    const again = await openTestMemory({ db });
    const attempts = [
      () => again.list(),
      () => again.recall("value"),
      () => again.remember({ content: "new" }),
      () => again.store.prune(),
    ];

    for (const attempt of attempts) {
      await expect(attempt()).rejects.toMatchObject({
        code: expect.stringMatching(/^store-(damaged|not-a-database)$/),
      });
    }
    await again.close();
    expect(readFileSync(db).equals(damaged)).toBe(true);
  });

  it("[X5] keeps a confidence of 0 as 0, and other values that are easily taken for none", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const memory = await openTestMemory({ db });
    const { id } = await memory.remember({
      content: "a wild guess",
      confidence: 0,
      metadata: { n: 0, s: "", b: false },
    });
    const revised = await memory.remember({ content: "another guess" });
    await memory.revise(revised.id, { confidence: 0 });

    const found = inAnotherProcess(db, "(await memory.list()).map(({ confidence }) => confidence)");

    expect(found).toEqual([0, 0]);
    expect(await memory.get(id)).toMatchObject({
      confidence: 0,
      currentConfidence: 0,
      metadata: { n: 0, s: "", b: false },
    });
  });

  it("[X6] uses maxEntries and cleanupDays where they are set", async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, "tacit.config.json"), '{ "maxEntries": 2, "cleanupDays": 3 }');
    vi.stubEnv("TACIT_HOME", home);
    onTestFinished(() => void vi.unstubAllEnvs());
    const clock = movableClock("2026-01-01T00:00:00Z");
    const memory = await openTestMemory({ now: clock.now });
    await memory.rememberMany(["one", "two", "three"].map((content) => ({ content })));
    const expiring = await memory.remember({ content: "short-lived", expiresAt: "2026-01-02" });

    clock.addDays(3);
    const kept = await memory.store.prune();
    clock.addDays(1.1);
    const cleaned = await memory.store.prune();

    expect(expiring.evicted).toHaveLength(2);
    expect(await memory.list()).toHaveLength(1);
    expect(kept.purged).toEqual([]);
    expect(cleaned.purged).toMatchObject([{ id: expiring.id }]);
  });

  it("[X7] forgets nothing by a query before it has shown what it would be", async () => {
    const home = temporaryFolder();
    const db = join(home, "memory.db");
    const memory = await openTestMemory({ db });
    await memory.rememberMany(Array.from({ length: 60 }, (_, n) => ({ content: `old build note ${n}` })));

    const shown = tacit(home, "forget", "--query", "old build");
    const afterShowing = await memory.list();
    const done = tacit(home, "forget", "--query", "old build", "--yes");

    expect(shown).toMatchObject({ dryRun: true });
    expect(shown.memories).toHaveLength(60);
    expect(afterShowing).toHaveLength(60);
    expect(done).toMatchObject({ dryRun: false });
    expect(await memory.list()).toEqual([]);
    expect(await memory.restore(done.memories[0]?.id ?? "")).toMatchObject({ status: "active" });
  });
});

/** What an expression over `memory` gives in a process of its own. */
function inAnotherProcess(db: string, expression: string): unknown {
  return JSON.parse(
    run([
      "--input-type=module",
      "-e",
      `import { openMemory } from ${JSON.stringify(built("index.js"))};
       const memory = await openMemory({ db: ${JSON.stringify(db)}, project: "test" });
       console.log(JSON.stringify(${expression}));
       await memory.close();`,
    ]),
  );
}

function tacit(home: string, ...args: string[]): { memories: { id: string }[] } {
  const flags = ["--json", "--db", join(home, "memory.db"), "--project", "test"];
  return JSON.parse(run([fileURLToPath(built("cli/main.js")), ...args, ...flags])) as { memories: { id: string }[] };
}

function run(args: string[]): string {
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  return stdout || stderr;
}
