import type { MemoryContext } from "../change/change.js";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { built, ended, holdLock, runProgram } from "../../../test/support/child-process.js";
import { movableClock, openTestMemory } from "../../../test/support/open-memories.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { defaultSettings } from "../../config/settings.js";
import { Store } from "../../storage/storage.js";
import { list } from "../read/list.js";
import { prune, pruneDaily } from "./prune.js";
import { remember } from "../remember/remember-memories.js";
import { dayMs, inMemory, inFile } from "../../../test/support/prune-contexts.js";

describe("pruning", () => {
  it("[L3] forgets what faded with all its names, restorable for 30 days, then not one byte is left", async () => {
    const folder = temporaryFolder();
    const clock = movableClock("2026-01-01T00:00:00Z");
    const memory = await openTestMemory({ db: join(folder, "memory.db"), now: clock.now });
    const { id } = await memory.remember({
      type: "work_state",
      content: "the walrus is half done",
      name: "walrus-work",
    });

    clock.addDays(21);
    const tooEarly = await memory.store.prune();
    clock.addDays(0.01);
    const due = await memory.store.prune();
    clock.addDays(30);
    const inGrace = await memory.store.prune();
    const stillThere = await memory.get("walrus-work", { forgotten: true });
    clock.addDays(0.01);
    const over = await memory.store.prune();
    await memory.close();

    expect([tooEarly, due, inGrace, over].map((report) => Object.values(report).map((each) => each.length))).toEqual([
      [0, 0, 0],
      [1, 0, 0],
      [0, 0, 0],
      [0, 0, 1],
    ]);
    expect(due.faded).toMatchObject([{ id, status: "forgotten", forgottenReason: "faded", aliases: [] }]);
    expect(stillThere).toMatchObject({ id });
    expect(over.purged).toMatchObject([{ id, content: "the walrus is half done" }]);
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
    expect(["walrus", id].filter((word) => files.some((bytes) => bytes.includes(word)))).toEqual([]);
  });

  it("[L3] keeps what is linked with what has faded itself, until a person forgets that", async () => {
    const clock = movableClock("2026-01-01T00:00:00Z");
    const memory = await openTestMemory({ now: clock.now });
    const names = ["decision", "first", "second", "one", "other", "alone"];
    await memory.rememberMany(
      names.map((name) => ({ type: name === "decision" ? "decision" : "work_state", content: name, name })),
    );
    await memory.relate("first", { kind: "derived_from", memory: "decision" });
    await memory.relate("first", { kind: "required_with", memory: "second" });
    await memory.relate("one", { kind: "required_with", memory: "other" });
    await memory.relate("other", { kind: "required_with", memory: "one" });

    clock.addDays(22);
    const { faded } = await memory.store.prune();
    clock.addDays(400);
    const kept = await memory.store.prune();
    await memory.restore("one");
    await memory.forget("one");
    const afterwards = await memory.store.prune();

    expect(faded).toHaveLength(5);
    expect(kept.purged.map(({ content }) => content)).toEqual(["alone"]);
    expect(afterwards.purged.map(({ content }) => content)).toEqual(["other"]);
    expect(await memory.restore("second")).toMatchObject({ status: "active" });
  });

  it("[L4] keeps a turn that an archive sums up for as long as the archive is there", async () => {
    const clock = movableClock("2026-01-01T00:00:00Z");
    const memory = await openTestMemory({ now: clock.now });
    const turn = await memory.remember({ type: "conversation", content: "what was said" });
    const archive = await memory.remember({
      type: "archive",
      content: "the summary",
      relations: [{ kind: "derived_from", memory: turn.id, confidence: 1, automatic: true }],
    });

    clock.addDays(400);
    await memory.store.prune();
    const archived = await memory.list({ type: "conversation" });
    await memory.forget(archive.id);
    const expired = await memory.list({ type: "conversation", status: "expired" });
    const { purged } = await memory.store.prune();

    expect(archived).toMatchObject([{ id: turn.id, status: "active" }]);
    expect(expired).toMatchObject([{ id: turn.id }]);
    expect(purged).toMatchObject([{ id: turn.id }]);
  });

  it("[L5] as a dry run tells what would happen, and changes nothing", async () => {
    const clock = movableClock("2026-01-01T00:00:00Z");
    const home = homeWith({});
    const db = join(home, "memory.db");
    const earlier = await openTestMemory({ db, now: clock.now });
    const contents = ["forgotten", "one", "two", "three"];
    await earlier.remember({ type: "work_state", content: "fades" });
    await earlier.remember({ content: "expires", expiresAt: "2026-01-02" });
    await earlier.rememberMany(contents.map((content) => ({ content, name: content })));
    await earlier.forget("forgotten");
    await earlier.close();
    clock.addDays(40);
    homeWith({ maxEntries: 2, cleanupDays: 10 }, home);
    const memory = await openTestMemory({ db, now: clock.now });
    const before = await everything(db);

    const planned = await memory.store.prune({ dryRun: true });
    const afterDryRun = await everything(db);
    const done = await memory.store.prune();

    const told = ({ faded, evicted, purged }: typeof planned) =>
      [faded, evicted, purged].map((each) => each.map(({ content }) => content).toSorted());
    expect(afterDryRun).toEqual(before);
    expect(told(planned)).toEqual([["fades"], ["one"], ["expires", "forgotten"]]);
    expect(told(done)).toEqual(told(planned));
    expect(await everything(db)).not.toEqual(before);
  });

  it("[L5] of a store that does not exist does nothing and creates none", async () => {
    const folder = temporaryFolder();
    const memory = await openTestMemory({ db: join(folder, "memory.db") });

    expect(await memory.store.prune()).toEqual({ faded: [], evicted: [], purged: [] });
    expect(await memory.store.prune({ dryRun: true })).toEqual({ faded: [], evicted: [], purged: [] });
    await memory.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("[L5] by itself happens once a day, from whichever process is open", async () => {
    const clock = movableClock("2026-01-01T00:00:00Z");
    const db = join(temporaryFolder(), "memory.db");
    const processes = [inFile(db, clock.now), inFile(db, clock.now)];
    const [one] = processes as [MemoryContext, MemoryContext];
    const everyHour: number[] = [];
    await remember(one, [{ type: "work_state", content: "the first", halfLifeDays: 0.001 }]);
    await prunedAt(one);

    for (let hour = 0; hour <= 72; hour += 1) {
      const before = await prunedAt(one);
      for (const each of processes) await pruneDaily(each, 1000);
      if ((await prunedAt(one)) !== before) everyHour.push(hour);
      clock.addDays(1 / 24);
    }

    expect(everyHour).toEqual([0, 24, 48, 72]);
    for (const { store } of processes) await store.close();
  });

  it("[L5] by itself happens once even when many processes end together", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const clock = movableClock(new Date(Date.now() - 100 * dayMs).toISOString());
    const memory = await openTestMemory({ db, now: clock.now });
    const { id } = await memory.remember({ type: "work_state", content: "long faded", name: "n" });
    await memory.close();

    const codes = await Promise.all([1, 2, 3, 4].map(() => ended(runProgram(visitor(db)))));
    const steps = await (await openTestMemory({ db })).history(id);

    expect(codes).toEqual([0, 0, 0, 0]);
    expect(steps.map(({ verb }) => verb)).toEqual(["faded", "remembered"]);
  });

  it("[L7] by itself evicts nothing, because nobody would be told", async () => {
    const clock = movableClock("2026-01-01T00:00:00Z");
    const project = inMemory(clock.now);
    const limited = { ...project, settings: async () => ({ ...defaultSettings(), maxEntries: 1 }) };
    await remember(
      project,
      ["one", "two"].map((content) => ({ content })),
    );

    await pruneDaily(limited, 1000);
    const daily = await list(project, {});
    const asked = await prune(limited);

    expect(daily).toHaveLength(2);
    expect(await prunedAt(project)).toBe("2026-01-01T00:00:00.000Z");
    expect(asked.evicted).toMatchObject([{ content: "one" }]);
  });

  it("[L7] lets go of what waits for a person first, and of nothing that speaks for it", async () => {
    const project = inMemory(movableClock("2026-01-01T00:00:00Z").now);
    const limited = { ...project, settings: async () => ({ ...defaultSettings(), maxEntries: 2 }) };
    const evicted = async (content: string, doubt?: string) =>
      (await remember(limited, [{ content }], { doubts: [doubt] }))[0]?.evicted?.map((one) => one.content);
    await remember(limited, [{ content: "weak", confidence: 0.1 }, { content: "strong" }]);

    expect(await evicted("first doubt", "It was read.")).toBeUndefined();
    expect(await evicted("second doubt", "It was read.")).toEqual(["first doubt"]);
    expect(await evicted("third")).toEqual(["second doubt", "weak"]);
    expect((await list(project, {})).map(({ content }) => content).toSorted()).toEqual(["strong", "third"]);
  });

  it("[TR54] forgets nothing that is trusted for what waits for a person, however low the limit", async () => {
    const project = inMemory(movableClock("2026-01-01T00:00:00Z").now);
    const limited = { ...project, settings: async () => ({ ...defaultSettings(), maxEntries: 1 }) };
    await remember(project, [{ content: "one" }, { content: "two" }]);
    await remember(project, [{ content: "first doubt" }], { doubts: ["It was read."] });

    const [kept] = await remember(limited, [{ content: "second doubt" }], { doubts: ["It was read."] });

    expect(kept?.evicted?.map(({ content }) => content)).toEqual(["first doubt"]);
  });

  it("[L7] limits what is true everywhere by the user's settings, not by those of a project", async () => {
    const clock = movableClock("2026-01-01T00:00:00Z");
    const limited = { ...defaultSettings(), maxEntries: 1, cleanupDays: 1 };
    const project = inMemory(clock.now);
    const context = { ...project, settings: async (whose?: "user") => (whose ? defaultSettings() : limited) };
    const user: MemoryContext = { ...context, project: { id: "user" } };
    const inputs = [{ content: "one" }, { content: "two" }, { content: "expired", expiresAt: "2026-01-01" }];
    await remember({ ...user, settings: async () => defaultSettings() }, inputs);
    await remember(project, inputs);

    clock.addDays(10);
    await pruneDaily(context, 1000);
    await prune(context);
    await prune(user);

    const statusesOf = async (store: MemoryContext) =>
      (await list(store, { status: "any" })).map(({ status }) => status);
    expect((await statusesOf(context)).toSorted()).toEqual(["active", "forgotten"]);
    expect((await statusesOf(user)).toSorted()).toEqual(["active", "active", "expired"]);
  });

  it("[L7] by a process in a folder with a limit of its own leaves what is true everywhere alone", async () => {
    const home = homeWith({});
    const folder = temporaryFolder();
    const db = join(home, "memory.db");
    const limited = await openTestMemory({ db, project: undefined, directory: folder });
    await limited.projects.configure("project", "maxEntries", "1");
    await limited.close();
    const user = await openTestMemory({ db, project: "user" });
    await user.rememberMany(["one", "two", "three"].map((content) => ({ content })));

    const here = await openTestMemory({ db, project: undefined, directory: folder });
    const [, second] = await here.rememberMany([{ content: "x" }, { content: "y" }]);
    await here.close();

    expect(second).not.toHaveProperty("evicted");
    expect(await user.list()).toHaveLength(3);
    const next = await openTestMemory({ db, project: undefined, directory: folder });
    expect((await next.store.prune()).evicted).toHaveLength(1);
    expect(await next.list()).toHaveLength(1);
    expect(await user.list()).toHaveLength(3);
  });

  it("[L5] by itself covers the project of what is true everywhere, and no other", async () => {
    const clock = movableClock("2026-01-01T00:00:00Z");
    const db = join(temporaryFolder(), "memory.db");
    for (const project of ["test", "user", "other"]) {
      const memory = await openTestMemory({ db, project, now: clock.now });
      await memory.remember({ type: "work_state", content: "x" });
      await memory.close();
    }
    clock.addDays(30);

    const visit = await openTestMemory({ db, now: clock.now });
    await visit.list();
    await visit.close();

    const found = ["test", "user", "other"].map(async (project) => {
      const memory = await openTestMemory({ db, project, now: clock.now });
      return (await memory.list({ status: "any" }))[0]?.status;
    });
    expect(await Promise.all(found)).toEqual(["forgotten", "forgotten", "active"]);
  });

  it("[L5] by itself gives up while another process writes, and is made up for by the next", async () => {
    const clock = movableClock("2026-01-01T00:00:00Z");
    const db = join(temporaryFolder(), "memory.db");
    const memory = await openTestMemory({ db, now: clock.now });
    const { id } = await memory.remember({ type: "work_state", content: "x" });
    clock.addDays(30);
    const other = await holdLock(db);

    await memory.close();
    const busy = await openTestMemory({ db, now: clock.now });
    const whileBusy = await busy.list();
    other.kill("SIGKILL");
    await ended(other);
    await busy.close();

    expect(whileBusy).toMatchObject([{ id, status: "active" }]);
    const next = await openTestMemory({ db, now: clock.now });
    expect(await next.get(id, { forgotten: true })).toMatchObject({ status: "forgotten" });
  });

  it.each([
    [{ cleanupDays: 0 }, 0],
    [{ cleanupDays: 5 }, 5],
    [{}, 90],
    [{ cleanupDays: 365.5 }, 365.5],
  ])("[L4] with %j removes what expired after %d days", async (settings, cleanupDays) => {
    const clock = movableClock("2026-01-01T00:00:00Z");
    homeWith(settings);
    const memory = await openTestMemory({ now: clock.now });
    const { id } = await memory.remember({ content: "x", expiresAt: "2026-02-01" });

    clock.addDays(31 + cleanupDays);
    const tooEarly = await memory.store.prune();
    clock.addDays(0.01);
    const due = await memory.store.prune();

    expect(tooEarly.purged).toEqual([]);
    expect(due.purged).toMatchObject([{ id }]);
    expect(await memory.list({ status: "any" })).toEqual([]);
  });

  it("[L4] with cleanupDays null removes nothing that expired, ever", async () => {
    const clock = movableClock("2026-01-01T00:00:00Z");
    homeWith({ cleanupDays: null });
    const memory = await openTestMemory({ now: clock.now });
    await memory.remember({ content: "x", expiresAt: "2026-02-01" });

    clock.addDays(100_000);

    expect((await memory.store.prune()).purged).toEqual([]);
    expect(await memory.list({ status: "expired" })).toHaveLength(1);
  });
});

describe("with maxEntries set", () => {
  it("[L7] the least worth keeping makes room, restorable for 30 days, and it is said which", async () => {
    const clock = movableClock("2026-01-01T00:00:00Z");
    homeWith({ maxEntries: 2 });
    const memory = await openTestMemory({ now: clock.now });
    const sure = await memory.remember({ content: "sure", confidence: 0.9 });
    const unsure = await memory.remember({ content: "unsure", confidence: 0.3, name: "n" });

    const third = await memory.remember({ content: "third", confidence: 0.1 });

    expect(sure).not.toHaveProperty("evicted");
    expect(third.evicted).toMatchObject([{ id: unsure.id, status: "forgotten", forgottenReason: "evicted" }]);
    expect((await memory.list()).map(({ id }) => id).toSorted()).toEqual([sure.id, third.id].toSorted());
    expect(await memory.restore("n")).toMatchObject({ id: unsure.id, status: "active" });
    clock.addDays(1);
    expect((await memory.store.prune()).evicted).toMatchObject([{ id: third.id }]);
    clock.addDays(31);
    expect((await memory.store.prune()).purged).toMatchObject([{ id: third.id }]);
  });

  it("[L7] worth is the confidence that is left, then use, then age", async () => {
    const clock = movableClock("2026-01-01T00:00:00Z");
    const home = homeWith({});
    const db = join(home, "memory.db");
    const memory = await openTestMemory({ db, now: clock.now });
    const faded = await memory.remember({ type: "gotcha", content: "half of 0.9 is left", confidence: 0.9 });
    const fresh = await memory.remember({ content: "fresh", confidence: 0.5 });
    const older = await memory.remember({ content: "older", confidence: 0.6 });
    const younger = await memory.remember({ content: "younger", confidence: 0.6 });
    const useful = await memory.remember({ content: "useful", confidence: 0.6 });
    const proved = await memory.remember({ content: "proved", confidence: 0.55 });
    const doubted = await memory.remember({ content: "doubted", confidence: 0.55, source: "observer_inferred" });
    clock.addDays(60);
    await memory.get(useful.id);
    for (let n = 0; n < 10; n += 1) {
      await memory.get(proved.id);
      await memory.get(doubted.id);
    }
    await memory.close();

    const order: (string | undefined)[] = [];
    for (const maxEntries of [6, 5, 4, 3, 2, 1]) {
      homeWith({ maxEntries }, home);
      const next = await openTestMemory({ db, now: clock.now });
      order.push(...(await next.store.prune()).evicted.map(({ id }) => id));
      await next.close();
    }

    expect(order).toEqual([faded, fresh, doubted, older, younger, useful].map(({ id }) => id));
  });

  it("[L7] what is pinned, verified or has just come never makes room", async () => {
    homeWith({ maxEntries: 1 });
    const memory = await openTestMemory();
    const pinnedOne = await memory.remember({ content: "pinned", confidence: 0, pinned: true });
    const verified = await memory.remember({ content: "verified", confidence: 0 });
    await memory.verify(verified.id);

    const many = await memory.rememberMany(["a", "b", "c"].map((content) => ({ content, confidence: 0 })));
    const again = await memory.remember({ content: "a" });

    expect(many.flatMap(({ evicted = [] }) => evicted)).toEqual([]);
    expect(again).toMatchObject({ merged: true, id: many[0]?.id });
    expect(again.evicted?.map(({ content }) => content)).toEqual(["b", "c"]);
    const left = (await memory.list()).map(({ id }) => id).toSorted();
    expect(left).toEqual([pinnedOne.id, verified.id, again.id].toSorted());
  });

  it("[L7] only what is in force counts", async () => {
    const clock = movableClock("2026-01-01T00:00:00Z");
    homeWith({ maxEntries: 2 });
    const memory = await openTestMemory({ now: clock.now });
    await memory.remember({ content: "expired", expiresAt: "2020-01-01" });
    const gone = await memory.remember({ content: "forgotten" });
    await memory.forget(gone.id);
    const old = await memory.remember({ content: "superseded" });
    await memory.supersede(old.id, { content: "its successor" });

    expect(await memory.remember({ content: "second" })).not.toHaveProperty("evicted");
    expect((await memory.remember({ content: "third" })).evicted).toMatchObject([{ content: "its successor" }]);
  });

  it("[L7] a turn that an archive keeps is in force, and makes room like others", async () => {
    const clock = movableClock("2026-01-01T00:00:00Z");
    homeWith({ maxEntries: 2 });
    const memory = await openTestMemory({ now: clock.now });
    const turn = await memory.remember({ type: "conversation", content: "what was said", confidence: 0.1 });
    await memory.remember({
      type: "archive",
      content: "the summary",
      relations: [{ kind: "derived_from", memory: turn.id, confidence: 1, automatic: true }],
    });
    clock.addDays(60);

    const third = await memory.remember({ content: "third" });

    expect(third.evicted).toMatchObject([{ id: turn.id }]);
  });

  it("[L7] every project has room of its own", async () => {
    const home = homeWith({ maxEntries: 1 });
    const db = join(home, "memory.db");
    const [one, two] = [await openTestMemory({ db }), await openTestMemory({ db, project: "other" })];
    await one.remember({ content: "x" });

    expect(await two.remember({ content: "y" })).not.toHaveProperty("evicted");
    expect(await one.list()).toHaveLength(1);
  });
});

async function prunedAt({ store }: MemoryContext): Promise<unknown> {
  return store.read(async (reader) => (await reader.rows("SELECT pruned_at FROM projects"))[0]?.["pruned_at"]);
}

/** Every row of a store. */
async function everything(db: string): Promise<unknown> {
  const store = new Store({ db, timeoutMs: 1000 });
  const tables = [
    "projects",
    "memories",
    "memory_names",
    "memory_changes",
    "memory_words",
    "memory_facets",
    "store_state",
  ];
  const rows = await store.read(async (reader) =>
    Promise.all(tables.map((table) => reader.rows(`SELECT * FROM ${table}`))),
  );
  await store.close();
  return JSON.parse(JSON.stringify(rows)) as unknown;
}

/** A folder of the user's own with these settings, in which everything that is opened next looks. */
function homeWith(settings: object, home = temporaryFolder()): string {
  writeFileSync(join(home, "tacit.config.json"), JSON.stringify(settings));
  vi.stubEnv("TACIT_HOME", home);
  onTestFinished(() => void vi.unstubAllEnvs());
  return home;
}

/** A program that looks into a store and goes. */
function visitor(db: string): string {
  return `
    import { openMemory } from ${JSON.stringify(built("index.js"))};
    const memory = await openMemory({ db: ${JSON.stringify(db)}, project: "test" });
    await memory.list();
    await memory.close();
  `;
}
