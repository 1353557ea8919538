import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { halfLives } from "../../../test/support/half-lives.js";
import { movableClock, openTestMemory } from "../../../test/support/open-memories.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import type { TacitMemory } from "../../index.js";
import { Store } from "../../storage/storage.js";
import { memoryTypes } from "../type-registry/memory-types.js";
import type { Memory, MemoryInput, Source } from "../memory.js";

describe("fading", () => {
  it.each(Object.entries(halfLives))("[L1] halves the confidence in a %s every %d days", async (type, days) => {
    const { memory, clock } = await openAt("2026-01-01T00:00:00Z");
    await memory.remember({ type, content: "x" });

    const left: (number | undefined)[] = [];
    for (let n = 0; n < 5; n += 1) {
      left.push((await memory.list())[0]?.currentConfidence);
      clock.addDays(days);
    }

    expect(left).toEqual([0.8, 0.4, 0.2, 0.1, 0.05]);
    expect(await memory.list()).toMatchObject([{ confidence: 0.8, halfLifeDays: days }]);
  });

  it("[L2] touches no type but those", async () => {
    const { memory, clock } = await openAt("2026-01-01T00:00:00Z");
    const types = memoryTypes.map(({ type }) => type).filter((type) => !(type in halfLives));
    await memory.rememberMany([...types, "of_another_version"].map((type) => ({ type, content: type })));

    clock.addDays(10_000);
    const listed = await memory.list({ status: "any" });

    expect(types).toContain("decision");
    expect(listed).toHaveLength(types.length + 1);
    expect(new Set(listed.map(({ currentConfidence }) => currentConfidence))).toEqual(new Set([0.8]));
    expect(listed.some((each) => "halfLifeDays" in each)).toBe(false);
  });

  it("[L1] is gradual, and follows a half-life of the memory's own where it has one", async () => {
    const { memory, clock } = await openAt("2026-01-01T00:00:00Z");
    const { id } = await memory.remember({ type: "decision", content: "x", confidence: 0.8, halfLifeDays: 0.5 });

    clock.addDays(0.25);

    expect((await memory.list())[0]).toMatchObject({ id, currentConfidence: 0.565685, halfLifeDays: 0.5 });
  });

  it("[L2] leaves what is pinned alone, for as long as it is pinned", async () => {
    const { memory, clock } = await openAt("2026-01-01T00:00:00Z");
    const { id } = await memory.remember({ type: "work_state", content: "x", pinned: true });

    clock.addDays(700);
    const pinned = await memory.list();
    const unpinned = await memory.pin(id, false);

    expect(pinned).toMatchObject([{ id, currentConfidence: 0.8 }]);
    expect(unpinned.currentConfidence).toBe(0);
  });

  it("[L1] counts from the last use, by get or by recall", async () => {
    const { memory, clock, reopen } = await openFile("2026-01-01T00:00:00Z");
    const got = await memory.remember({ type: "work_state", content: "a walrus" });
    const recalled = await memory.remember({ type: "work_state", content: "a heron" });
    const unused = await memory.remember({ type: "work_state", content: "an otter" });

    clock.addDays(7);
    await memory.get(got.id);
    await memory.recall("heron");
    const later = await reopen();
    clock.addDays(7);

    const left = new Map((await later.list()).map(({ id, currentConfidence }) => [id, currentConfidence]));
    expect([got, recalled, unused].map(({ id }) => left.get(id))).toEqual([0.4, 0.4, 0.2]);
  });

  it("[L1] counts from storing, not from when it became known: what was imported has not faded before it arrives", async () => {
    const { memory } = await openAt("2026-01-01T00:00:00Z");

    const remembered = await memory.remember({ type: "work_state", content: "x", createdAt: "2001-01-01" });

    expect(remembered.currentConfidence).toBe(0.8);
  });

  it("[L1] does not run backwards with the clock", async () => {
    const { memory, clock } = await openAt("2026-01-01T00:00:00Z");
    await memory.remember({ type: "work_state", content: "x" });

    clock.addDays(-30);

    expect((await memory.list())[0]?.currentConfidence).toBe(0.8);
  });

  it("[L1] begins anew when a memory is restored", async () => {
    const { memory, clock } = await openAt("2026-01-01T00:00:00Z");
    const { id } = await memory.remember({ type: "work_state", content: "x" });
    clock.addDays(14);
    await memory.forget(id);

    expect(await memory.restore(id)).toMatchObject({ currentConfidence: 0.8 });
  });
});

describe("use", () => {
  it.each([
    [0.8, 4, 0.8],
    [0.8, 5, 0.85],
    [0.8, 9, 0.85],
    [0.8, 10, 0.9],
    [0.8, 15, 0.95],
    [0.8, 50, 0.95],
    [0, 5, 0.05],
    [0.1, 15, 0.25],
    [0.93, 5, 0.95],
    [0.95, 20, 0.95],
    [0.97, 20, 0.97],
    [1, 20, 1],
  ])("[L6] of a memory of confidence %d, %d times, makes it %d", async (confidence, times, then) => {
    const { memory, reopen } = await openFile("2026-01-01T00:00:00Z");
    await memory.remember({ content: "x", confidence });

    await use(memory, times);

    expect(await (await reopen()).list()).toMatchObject([{ confidence: then, accessCount: times }]);
  });

  it.each<[string, Partial<MemoryInput>, string]>([
    ["tainted", {}, "trust_flags = '[\"tainted\"]'"],
    ["tainted even though it is verified", {}, "trust_flags = '[\"tainted\"]', user_verified = 1"],
    ...(["observer_inferred", "qa_auto", "mcp_auto", "commit_auto"] satisfies Source[]).map(
      (source): [string, Partial<MemoryInput>, string] => [
        `inferred (${source}) and not verified`,
        { source },
        "user_verified = 0",
      ],
    ),
  ])("[L6] proves nothing about what is %s", async (_what, input, state) => {
    const { memory, db, reopen } = await openFile("2026-01-01T00:00:00Z");
    await memory.remember({ content: "x", ...input });
    await setState(db, `${state}, review_state = 'pending'`);

    await use(memory, 20);

    const [used] = await (await reopen()).list({ status: ["active", "waiting"] });
    expect(used).toMatchObject({ confidence: 0.8, review: { state: "pending" }, accessCount: 20 });
  });

  it.each<[string, Partial<MemoryInput>, string]>([
    ["inferred and verified", { source: "observer_inferred" }, "user_verified = 1"],
    ["taught by the user", { source: "user_taught" }, "user_verified = 0"],
    ["cleaned by hygiene", {}, "trust_flags = '[\"secret-redacted\"]'"],
  ])("[L6] counts for what is %s", async (_what, input, state) => {
    const { memory, db, reopen } = await openFile("2026-01-01T00:00:00Z");
    await memory.remember({ content: "x", ...input });
    await setState(db, state);

    await use(memory, 5);

    expect(await (await reopen()).list()).toMatchObject([{ confidence: 0.85 }]);
  });

  it("[L6] settles a pending review after ten times, and never what a person flagged", async () => {
    const { memory, db, reopen } = await openFile("2026-01-01T00:00:00Z");
    const { id } = await memory.remember({ content: "x" });
    const wrong = await memory.remember({ content: "y" });
    await setState(db, "review_state = 'pending', review_reason = 'look at this'");
    await memory.flag(wrong.id, "it is wrong");

    await use(memory, 9, id);
    const nine = await reopen();
    const pending = (await nine.list())[0]?.review;
    await use(nine, 1, id);
    await use(nine, 20, wrong.id);
    const ten = await reopen();

    expect(pending).toEqual({ state: "pending", reason: "look at this" });
    expect(await ten.list()).toMatchObject([{ id, review: { state: "none" } }]);
    expect(await ten.list({ status: "flagged" })).toMatchObject([{ id: wrong.id, confidence: 0.95 }]);
  });

  it.each<[string, (memory: TacitMemory, id: string) => Promise<Memory>, number, number]>([
    ["a new text takes it back", (memory, id) => memory.revise(id, { content: "y" }), 0.8, 0.85],
    ["being flagged as wrong takes it back", (memory, id) => memory.flag(id, "wrong"), 0.8, 0.85],
    ["a tag is no correction", (memory, id) => memory.revise(id, { tags: ["t"] }), 0.9, 0.95],
    ["a name is no correction", (memory, id) => memory.rename(id, "n"), 0.9, 0.95],
    ["being verified is no correction", (memory, id) => memory.verify(id), 0.9, 0.95],
    ["being said again is no correction", (memory) => memory.remember({ content: "x" }), 0.9, 0.95],
  ])("[L6] adds confidence until it is corrected: %s", async (_what, change, then, afterFiveMore) => {
    const { memory, reopen } = await openFile("2026-01-01T00:00:00Z");
    const { id } = await memory.remember({ content: "x" });
    await use(memory, 10);
    const used = await reopen();

    const changed = await change(used, id);
    await use(used, 5, id);
    const again = await reopen();

    expect(changed.confidence).toBe(then);
    expect(await again.list({ status: "any" })).toMatchObject([{ confidence: afterFiveMore, accessCount: 15 }]);
  });

  it("[L6] brings back nothing that a correction took, also when the correction is undone", async () => {
    const { memory, reopen } = await openFile("2026-01-01T00:00:00Z");
    const { id } = await memory.remember({ content: "x" });
    await use(memory, 10);
    const used = await reopen();
    await used.revise(id, { content: "y" });

    expect(await used.undo(id)).toMatchObject({ content: "x", confidence: 0.8 });
  });

  it("[L6] fades like everything else: what it added halves too", async () => {
    const { memory, clock, reopen } = await openFile("2026-01-01T00:00:00Z");
    await memory.remember({ type: "work_state", content: "x" });
    await use(memory, 10);
    const used = await reopen();

    clock.addDays(7);

    expect(await used.list()).toMatchObject([{ confidence: 0.9, currentConfidence: 0.45 }]);
  });
});

async function openAt(start: string) {
  const clock = movableClock(start);
  return { memory: await openTestMemory({ now: clock.now }), clock };
}

/** A memory in a file; closing it writes the uses, and `reopen` gives the next process's view. */
async function openFile(start: string) {
  const clock = movableClock(start);
  const db = join(temporaryFolder(), "memory.db");
  let open = await openTestMemory({ db, now: clock.now });
  const reopen = async () => {
    await open.close();
    return (open = await openTestMemory({ db, now: clock.now }));
  };
  return { memory: open, clock, db, reopen };
}

async function use(memory: TacitMemory, times: number, id?: string): Promise<void> {
  const reference = id ?? (await memory.list({ status: ["active", "waiting"] }))[0]?.id ?? "";
  for (let n = 0; n < times; n += 1) await memory.get(reference);
}

/** Sets what no verb of today sets: it comes with the rooms that infer and import. */
async function setState(db: string, columns: string): Promise<void> {
  const store = new Store({ db, timeoutMs: 1000 });
  await store.write(async (writer) => writer.run(`UPDATE memories SET ${columns}`));
  await store.close();
}
