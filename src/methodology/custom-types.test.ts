import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { movableClock, type openTestMemory } from "../../test/support/open-memories.js";
import { temporaryFolder } from "../../test/support/temporary-folder.js";

const redTest = {
  type: "red_test",
  label: "Red test",
  purpose: "names a test that was seen to fail",
  halfLifeDays: 10,
  weights: { validate: 1.5 },
  shares: { validate: 0.5 },
};
const spike = { type: "spike", purpose: "is a try to be thrown away", expires: { days: 2 } };

describe("a type that a methodology brings", () => {
  it("[I14] fades, expires and is forgotten as it says, also where nobody knows it", async () => {
    const clock = movableClock("2026-01-01T00:00:00Z");
    const options = { db: join(temporaryFolder(), "memory.db"), now: clock.now };
    const memory = await openIn("that knows it", options);
    await memory.rememberMany([
      { type: "red_test", content: "The parser drops the last line." },
      { type: "red_test", content: "One with a half-life of its own.", halfLifeDays: 100 },
      { type: "spike", content: "A parser without states." },
    ]);
    await memory.close();
    const elsewhere = await openIn("that does not", options);

    clock.addDays(1);
    const soon = await elsewhere.list();
    clock.addDays(9);
    const later = await elsewhere.list();
    clock.addDays(21);
    const { faded } = await elsewhere.store.prune();

    expect(soon.map(({ type }) => type).toSorted()).toEqual(["red_test", "red_test", "spike"]);
    expect(later.map(({ type, currentConfidence }) => [type, currentConfidence])).toContainEqual(["red_test", 0.4]);
    expect(later.map(({ type }) => type)).not.toContain("spike");
    expect(faded.map(({ content }) => content)).toEqual(["The parser drops the last line."]);
    expect(await elsewhere.list()).toMatchObject([{ halfLifeDays: 100 }]);
  });

  it("is told under its label where it is known, and under its name elsewhere", async () => {
    const options = { db: join(temporaryFolder(), "memory.db") };
    const memory = await openIn("that knows it", options);
    await memory.remember({ type: "red_test", content: "The parser drops the last line." });

    const here = await memory.pack(await memory.recall("parser"));
    await memory.close();
    const other = await openIn("that does not", options);
    const there = await other.pack(await other.recall("parser"));

    expect(here.text).toContain("- Red test: The parser");
    expect(there.text).toContain("- red_test: The parser");
  });

  it("has its share when memories are packed, and weighs in its phase", async () => {
    const memory = await openIn("that knows it");
    await memory.rememberMany(
      Array.from({ length: 12 }, (_, n) => [
        { type: "fact", content: `The parser has a fact ${n}: ${"parser parser parser ".repeat(3)}` },
        { type: "red_test", content: `A red test ${n} of some thing beside the parser, one of many such` },
      ]).flat(),
    );
    const results = (await memory.recall("parser", { limit: 24 })).toSorted((a, b) =>
      a.memory.type < b.memory.type ? -1 : 1,
    );
    const countTold = async (phase: "validate" | "reflect") => {
      const { included } = await memory.pack(results, { phase, budgetTokens: 400 });
      const types = new Map(results.map(({ memory: { id, type } }) => [id, type]));
      return included.filter(({ id }) => types.get(id) === "red_test").length;
    };
    const scoreIn = async (phase: "validate" | "reflect") =>
      (await memory.recall("parser", { phase, type: "red_test" }))[0]?.score ?? 0;

    expect(results).toHaveLength(24);
    expect(await countTold("validate")).toBeGreaterThanOrEqual(4);
    expect(await countTold("reflect")).toBeLessThan(4);
    expect(await scoreIn("validate")).toBeGreaterThan(await scoreIn("reflect"));
  });

  it("gives and takes its half-life when a memory changes its type, and leaves one of its own alone", async () => {
    const memory = await openIn("that knows it");
    const { id } = await memory.remember({ type: "fact", content: "x" });
    const own = await memory.remember({ type: "fact", content: "y", halfLifeDays: 5 });

    const into = await memory.revise(id, { type: "red_test" });
    const undone = await memory.undo(id);
    await memory.revise(id, { type: "red_test" });
    const outOf = await memory.revise(id, { type: "gotcha" });

    expect([into.halfLifeDays, undone.halfLifeDays, outOf.halfLifeDays]).toEqual([10, undefined, 60]);
    expect(await memory.revise(own.id, { type: "red_test" })).toMatchObject({ halfLifeDays: 5 });
  });

  it("reaches what was kept before it was defined when that is said again, and what is imported", async () => {
    const folder = temporaryFolder();
    const options = { db: join(folder, "memory.db") };
    const before = await openIn("that does not", options);
    await before.remember({ type: "red_test", content: "said early" });
    await before.close();
    const memory = await openIn("that knows it", options);

    const early = await memory.list();
    const again = await memory.remember({ type: "red_test", content: "said early" });
    await memory.exchange.import(lines({ type: "red_test", content: "imported" }));

    expect(early[0]).not.toHaveProperty("halfLifeDays");
    expect(again).toMatchObject({ merged: true, halfLifeDays: 10 });
    expect((await memory.list()).map(({ halfLifeDays }) => halfLifeDays)).toEqual([10, 10]);
  });
});

const plugin = { id: "tdd", displayName: "Test first", customMemoryTypes: [redTest, spike] };

/** Opens a memory with modules of its own, as a process would: with the plug-in, or without. */
async function openIn(process: "that knows it" | "that does not", options: Parameters<typeof openTestMemory>[0] = {}) {
  vi.resetModules();
  const { openMethodologies } = await import("./open-methodologies.js");
  const { native } = await import("./native.js");
  if (process === "that knows it") openMethodologies([{ ...native, ...plugin }]);
  return (await import("../../test/support/open-memories.js")).openTestMemory(options);
}

async function* lines(record: object): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${JSON.stringify(record)}\n`);
}
