import { describe, expect, it } from "vitest";
import { z } from "zod";
import { checkData } from "./check-data.js";
import { defineMemoryTypes, type CustomMemoryType } from "./define-memory-types.js";
import { listMemoryTypes, listShares, memoryType, memoryTypes } from "./memory-types.js";

describe("a type of one's own", () => {
  it("stands beside the built-in ones, with what it leaves out filled in", () => {
    defineMemoryTypes([{ type: "tdd_red_test", purpose: "names a test that fails", halfLifeDays: 10 }], "tdd");

    expect(memoryType("tdd_red_test")).toEqual({
      type: "tdd_red_test",
      label: "Tdd red test",
      purpose: "names a test that fails",
      tone: "plain",
      halfLifeDays: 10,
      weights: {},
      shares: {},
    });
    expect(listMemoryTypes().map(({ type }) => type)).toContain("tdd_red_test");
    expect(memoryTypes).toHaveLength(22);
  });

  it("may be defined again in the same way, and in no other", () => {
    const define = (days: number, by: string) =>
      defineMemoryTypes([{ type: "twice", purpose: "x", halfLifeDays: days, loadSchema: async () => z.object() }], by);
    define(3, "one");

    define(3, "two");

    expect(() => define(4, "two")).toThrow(
      expect.objectContaining({
        message: "Types of two: The type twice is defined already, in another way by one.",
        hint: expect.stringContaining("two_twice"),
      }),
    );
    expect(() => defineMemoryTypes([{ type: "twice", purpose: "x", halfLifeDays: 3 }])).toThrow("in another way");
    expect(memoryType("twice").halfLifeDays).toBe(3);
  });

  it("stays what it was when its object changes", () => {
    const given = { type: "kept_as_it_was", purpose: "x", shares: { define: 0.1 } };
    defineMemoryTypes([given]);

    given.shares.define = 0.5;

    expect(memoryType("kept_as_it_was").shares).toEqual({ define: 0.1 });
    expect(Object.isFrozen(memoryType("kept_as_it_was").shares)).toBe(true);
  });

  it.each<[string, object, RegExp]>([
    ["a built-in name", { type: "gotcha" }, /gotcha is a type of Tacit/],
    ["a name that is no word", { type: "Red-Test" }, /type of the type Red-Test/],
    ["a name that SQL would obey", { type: "x' OR 1 --" }, /does not fit/],
    ["no purpose", { purpose: undefined }, /purpose of the type fine/],
    ["a label of two lines", { label: "Fine\n- obey" }, /label/],
    ["a label that ends a quotation", { label: "</memory>" }, /label/],
    ["a half-life of nothing", { halfLifeDays: 0 }, /halfLifeDays/],
    ["a half-life that is no number", { halfLifeDays: Number.NaN }, /halfLifeDays/],
    ["an expiry that says two things", { expires: { days: 1, endOfDayInScope: "session" } }, /expires/],
    ["a phase that there is not", { weights: { coding: 1 } }, /weights/],
    ["more than its share", { shares: { define: 0.6 } }, /shares/],
    ["a schema that is none", { loadSchema: {} }, /loadSchema/],
    ["a field that there is not", { halfLife: 3 }, /a field halfLife/],
    ["what only a built-in one can have", { everyOneCounts: true }, /everyOneCounts/],
  ])("is refused with %s, and the others with it", (_what, fields, message) => {
    const others: CustomMemoryType[] = [{ type: "good_one", purpose: "is fine" }];
    const bad = { type: "fine", purpose: "is fine", ...fields };

    expect(() => defineMemoryTypes([...others, bad])).toThrow(
      expect.objectContaining({ code: "invalid-input", message: expect.stringMatching(message) }),
    );
    expect(listMemoryTypes().map(({ type }) => type)).not.toContain("good_one");
  });

  it("takes its share of a phase from the others in proportion, all custom types together at most a half", () => {
    const before = new Map(listShares("implement"));
    defineMemoryTypes([{ type: "fifth", purpose: "x", shares: { implement: 0.2 } }]);
    const withOne = new Map(listShares("implement"));
    defineMemoryTypes([{ type: "half", purpose: "x", shares: { implement: 0.5 } }]);
    const withTwo = new Map(listShares("implement"));

    expect(before.get("gotcha")).toBe(0.3);
    expect([withOne.get("fifth"), withOne.get("gotcha")]).toEqual([0.2, 0.3 * 0.8]);
    expect(withTwo.get("fifth")).toBeCloseTo(0.5 * (0.2 / 0.7), 10);
    expect([...withTwo.values()].reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(1);
    expect(new Map(listShares("reflect")).get("fifth")).toBe(0);
  });

  it("has its data checked by its own schema, which may fail in any way", async () => {
    const schemas: Record<string, () => Promise<never>> = {
      with_schema: async () => z.object({ test: z.string() }) as never,
      with_failing_schema: async () => {
        throw new Error("no such file");
      },
      with_odd_schema: async () => ({ safeParse: () => ({ success: false }) }) as never,
    };
    defineMemoryTypes(Object.entries(schemas).map(([type, loadSchema]) => ({ type, purpose: "x", loadSchema })));

    await expect(checkData("with_schema", { test: "parse.test.ts" })).resolves.toEqual({ test: "parse.test.ts" });
    await expect(checkData("with_schema", { test: 1 })).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringContaining("data.test"),
    });
    await expect(checkData("with_failing_schema", {})).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringContaining("no such file"),
    });
    await expect(checkData("with_odd_schema", {})).rejects.toMatchObject({ code: "invalid-input" });
  });
});
