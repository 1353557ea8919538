// Another process holds the store. Tacit waits as long as it was told to, says so, and works again afterwards.
import { join } from "node:path";
import { expect, it } from "vitest";
import type { TacitMemory } from "../../src/index.js";
import { hold, library, release, runProgram, tacit, temporaryFolder } from "./programs.js";
import { isFull, onlyFull } from "./scale.js";

const timeoutMs = 250;
// The machine may be busy with other tests; the default time-out of ten seconds is still far away.
const lateMs = 4000;

it("[S4] says store-locked after its time-out while another process holds the write lock, and saves nothing", async () => {
  const { db, memory } = await openStore();
  const holder = await hold(db, "write");

  const begun = performance.now();
  const error = await errorOf(memory.remember({ content: "too early" }));
  const waitedMs = performance.now() - begun;
  await release(holder);

  expect(error).toMatchObject({ name: "MemoryError", code: "store-locked", hint: expect.any(String) });
  expect(waitedMs).toBeGreaterThan(timeoutMs * 0.8);
  expect(waitedMs).toBeLessThan(lateMs);
  await memory.close();
  expect(await contentsSeenByAnother(db)).toEqual(["known before"]);
});

it("[S4] really saves what the same object writes after it was locked out", async () => {
  const { db, memory } = await openStore();
  const holder = await hold(db, "write");
  const refused = [
    await errorOf(memory.remember({ content: "refused once" })),
    await errorOf(memory.rememberMany([{ content: "refused" }, { content: "twice" }])),
  ];
  await release(holder);

  const ids: string[] = [];
  // Twenty, because a connection that was locked out once has acknowledged and lost that many.
  for (let index = 0; index < 20; index++)
    ids.push((await memory.remember({ content: `written after the lock ${index}` })).id);
  const seen = await Promise.all([
    tacit(["show", ids[0] ?? "", "--db", db, "--project", "p", "--json"]),
    contentsSeenByAnother(db),
  ]);
  await memory.close();

  expect(refused).toMatchObject([{ code: "store-locked" }, { code: "store-locked" }]);
  expect(seen[0]).toMatchObject({ code: 0 });
  expect(new Set(seen[1])).toEqual(
    new Set(["known before", ...ids.map((_, index) => `written after the lock ${index}`)]),
  );
  expect(new Set(await contentsSeenByAnother(db)).size).toBe(21);
});

it("[S4] every verb that writes says store-locked, and none of them did anything", async () => {
  const { db, memory } = await openStore();
  const [known] = await memory.list();
  const id = known?.id ?? "";
  const holder = await hold(db, "write");

  const errors = [
    await errorOf(memory.revise(id, { content: "changed" })),
    await errorOf(memory.supersede(id, { content: "replaced" })),
    await errorOf(memory.forget(id)),
    await errorOf(memory.pin(id)),
    await errorOf(memory.verify(id)),
    await errorOf(memory.flag(id, "wrong")),
    await errorOf(memory.purge(id)),
    await errorOf(memory.purge({ all: true })),
  ];
  await release(holder);

  expect(errors.map((error) => (error as { code?: string }).code)).toEqual(errors.map(() => "store-locked"));
  const after = await memory.get(id);
  await memory.close();
  expect(after).toEqual(known);
});

it("[S4] recalls while another process holds the write lock, and drops the access counts quietly and promptly", async () => {
  const { db, memory } = await openStore();
  const holder = await hold(db, "write");

  const results = await memory.recall("known");
  const begun = performance.now();
  await memory.close();
  const closedAfterMs = performance.now() - begun;
  const during = await runProgram("verbs.mjs", {
    db,
    project: "p",
    calls: [["recall", "known"], ["list"], ["store.diagnose"], ["close"]],
  });
  await release(holder);
  const { openMemory } = await library();
  const later = await openMemory({ db, project: "p" });
  const [after] = await later.list();
  await later.recall("known");
  await later.close();
  const counted = await openMemory({ db, project: "p" });
  const [counts] = await counted.list();
  await counted.close();

  expect(results.map((result) => result.memory.content)).toEqual(["known before"]);
  expect(closedAfterMs).toBeLessThan(1000);
  expect(during.filter((line) => "error" in line)).toEqual([]);
  expect(during.find(({ call }) => String(call) === "close")?.["ms"]).toBeLessThan(1000);
  expect(after?.accessCount).toBe(0);
  expect(counts?.accessCount).toBe(1);
});

it("[S4] says store-locked when another process keeps the whole file to itself, to readers too", async () => {
  const db = join(temporaryFolder(), "memory.db");
  // By another process: a database that was closed stays open until its statements are garbage.
  await runProgram("verbs.mjs", { db, project: "p", calls: [["remember", { content: "known before" }], ["close"]] });
  const holder = await hold(db, "exclusive");

  const calls = [["recall", "known"], ["remember", { content: "locked out" }], ["close"]];
  const during = await runProgram("verbs.mjs", { db, project: "p", timeoutMs, calls });
  await release(holder);
  const after = await runProgram("verbs.mjs", {
    db,
    project: "p",
    timeoutMs,
    calls: [["remember", { content: "let in" }], ["close"]],
  });

  expect(during.filter(({ call }) => ["recall", "remember"].includes((call as string[])[0] ?? ""))).toMatchObject([
    { error: { code: "store-locked", isMemoryError: true } },
    { error: { code: "store-locked", isMemoryError: true } },
  ]);
  expect(after.filter((line) => "error" in line)).toEqual([]);
  expect(new Set(await contentsSeenByAnother(db))).toEqual(new Set(["known before", "let in"]));
});

it("[S4] says store-locked when another process holds a new file, and creates the store once it lets go", async () => {
  const db = join(temporaryFolder(), "memory.db");
  const holder = await hold(db, "write");
  const { openMemory } = await library();
  const memory = await openMemory({ db, project: "p", timeoutMs });

  const error = await errorOf(memory.remember({ content: "too early" }));
  await release(holder);
  await memory.remember({ content: "in time" });
  await memory.close();

  expect(error).toMatchObject({ name: "MemoryError", code: "store-locked" });
  expect(await contentsSeenByAnother(db)).toEqual(["in time"]);
});

it("[S4] the command line waits for a lock that is given up in time", async () => {
  const { db, memory } = await openStore();
  await memory.close();
  const holder = await hold(db, "write");

  const waiting = tacit(["remember", "patience", "--db", db, "--project", "p", "--json"]);
  await new Promise((wake) => setTimeout(wake, 1200));
  await release(holder);
  const run = await waiting;

  expect(run).toMatchObject({ code: 0, stderr: "" });
  expect(await contentsSeenByAnother(db)).toContain("patience");
});

// The command line waits ten seconds, which is too long for every day.
it("the command line exits 1 with store-locked when the lock is never given up", async ({ skip }) => {
  skip(!isFull, onlyFull);
  const { db, memory } = await openStore();
  await memory.close();
  const holder = await hold(db, "write");

  const run = await tacit(["remember", "no patience", "--db", db, "--project", "p", "--json"]);
  await release(holder);

  expect(run).toMatchObject({ code: 1, stdout: "" });
  expect(JSON.parse(run.stderr)).toMatchObject({ error: { code: "store-locked", hint: expect.any(String) } });
  expect(await contentsSeenByAnother(db)).toEqual(["known before"]);
});

async function openStore(): Promise<{ db: string; memory: TacitMemory }> {
  const db = join(temporaryFolder(), "memory.db");
  const { openMemory } = await library();
  const memory = await openMemory({ db, project: "p", timeoutMs });
  await memory.remember({ content: "known before" });
  return { db, memory };
}

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => "no error",
    (error: unknown) => error,
  );
}

async function contentsSeenByAnother(db: string): Promise<string[]> {
  const lines = await runProgram("verbs.mjs", { db, project: "p", calls: [["list", { status: "any" }], ["close"]] });
  const listed = lines.find(({ call }) => (call as string[])[0] === "list")?.["value"] as { content: string }[];
  return listed.map(({ content }) => content);
}
