import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sampleRecord } from "../../../test/support/sample-record.js";
import { statuses, type Memory } from "../../memory/memory.js";
import { recencyFactor, estimateStaleness, type FileCircumstances } from "./estimate-staleness.js";

describe("a memory", () => {
  it("of which nothing is known is not stale", () => {
    expect(estimateStaleness(memoryAbout("src/a.ts"), circumstances())).toEqual({ factor: 1, marks: [] });
    expect(estimateStaleness(memoryAbout("src/a.ts"), circumstances({ changes: { "src/a.ts": 0 } }))).toEqual({
      factor: 1,
      marks: [],
    });
  });

  it("that was flagged, superseded or let go keeps half of its confidence", () => {
    const flagged = {
      ...memoryAbout(),
      status: "flagged",
      review: { state: "flagged", reason: "wrong port" },
    } as const;

    expect(estimateStaleness(flagged, circumstances())).toEqual({
      factor: 0.5,
      marks: ["this is flagged: wrong port"],
    });
    expect(estimateStaleness({ ...memoryAbout(), status: "superseded" }, circumstances())).toEqual({
      factor: 0.5,
      marks: ["this is superseded"],
    });
  });

  it("loses by the share of its files that are gone", () => {
    const modifiedAt = { "src/a.ts": "gone", "src/b.ts": "gone" } as const;
    const gone = circumstances({ changes: { "src/a.ts": 1, "src/b.ts": 1 }, modifiedAt });

    expect(estimateStaleness(memoryAbout("src/a.ts"), gone)).toEqual({
      factor: 0.5,
      marks: ["src/a.ts is not in the work tree"],
    });
    expect(estimateStaleness(memoryAbout("src/a.ts", "src/c.ts", "src/b.ts", "src/d.ts"), gone)).toEqual({
      factor: 0.75,
      marks: ["src/a.ts is not in the work tree, and 1 more of its files are not"],
    });
  });

  it("loses nothing by a file that never was in the work tree", () => {
    const neverThere = circumstances({ changes: { "src/a.ts": 0 }, modifiedAt: { "src/a.ts": "gone" } });

    expect(estimateStaleness(memoryAbout("src/a.ts"), neverThere)).toEqual({ factor: 1, marks: [] });
  });

  it("is marked when it was not used for its half-life, and loses nothing a second time", () => {
    const unused = { ...memoryAbout(), confidence: 0.8, currentConfidence: 0.39, halfLifeDays: 60 };

    expect(estimateStaleness(unused, circumstances())).toEqual({
      factor: 1,
      marks: ["this was not used for its half-life of 60 days"],
    });
    expect(estimateStaleness({ ...unused, currentConfidence: 0.41 }, circumstances()).marks).toEqual([]);
  });

  it("loses by the share of its files that changed since, and by how much they did", () => {
    const { factor, marks } = estimateStaleness(memoryAbout("src/a.ts"), circumstances({ changes: { "src/a.ts": 5 } }));
    const ofTwo = estimateStaleness(memoryAbout("src/a.ts", "src/b.ts"), circumstances({ changes: { "src/a.ts": 5 } }));
    const once = estimateStaleness(memoryAbout("src/a.ts"), circumstances({ changes: { "src/a.ts": 1 } }));
    const often = estimateStaleness(memoryAbout("src/a.ts"), circumstances({ changes: { "src/a.ts": 1000 } }));

    expect(factor).toBeCloseTo(0.85);
    expect(marks).toEqual(["src/a.ts changed in 5 commits since this was written"]);
    expect(ofTwo.factor).toBeCloseTo(0.925);
    expect(once.factor).toBeCloseTo(0.95);
    expect(once.marks).toEqual(["src/a.ts changed in 1 commit since this was written"]);
    expect(often.factor).toBeGreaterThan(0.7);
    expect(often.factor).toBeLessThan(0.71);
  });

  it("names the file that changed most", () => {
    const { marks } = estimateStaleness(
      memoryAbout("src/a.ts", "src/b.ts", "src/c.ts", "src/d.ts"),
      circumstances({ changes: { "src/a.ts": 1, "src/b.ts": 7, "src/c.ts": 2 } }),
    );

    expect(marks).toEqual(["src/b.ts changed in 7 commits since this was written, and 2 more of its files changed"]);
  });

  it("does not count the removal of a file as a change too", () => {
    const removed = circumstances({ changes: { "src/a.ts": 1 }, modifiedAt: { "src/a.ts": "gone" } });

    expect(estimateStaleness(memoryAbout("src/a.ts"), removed).marks).toEqual(["src/a.ts is not in the work tree"]);
  });

  it("is worth a look when its file is newer by more than 30 days than its last revision", () => {
    const written = {
      ...memoryAbout("src/a.ts"),
      createdAt: "2026-01-01T00:00:00Z",
      updatedAt: "2026-03-01T00:00:00Z",
    };
    const modified = (day: string) => circumstances({ modifiedAt: { "src/a.ts": new Date(day) } });

    expect(estimateStaleness(written, modified("2026-03-31T23:00:00Z"))).toEqual({ factor: 1, marks: [] });
    expect(estimateStaleness(written, modified("2026-04-01T00:00:00Z"))).toEqual({
      factor: 1,
      marks: ["src/a.ts was modified 31 days after this: worth a look"],
    });
  });

  it("is not worth a look because of a fresh clone, where git knows that the file did not change", () => {
    const cloned = circumstances({ changes: { "src/a.ts": 0 }, modifiedAt: { "src/a.ts": new Date("2029-01-01") } });

    expect(estimateStaleness(memoryAbout("src/a.ts"), cloned)).toEqual({ factor: 1, marks: [] });
  });

  it("never loses more than half, and nothing without a mark", () => {
    fc.assert(
      fc.property(anyMemory(), anyCircumstances(), (memory, known) => {
        const { factor, marks } = estimateStaleness(memory, known);

        expect(factor).toBeGreaterThanOrEqual(0.5);
        expect(factor).toBeLessThanOrEqual(1);
        expect(factor < 1 && marks.length === 0).toBe(false);
      }),
    );
  });
});

describe("recency", () => {
  const start = "2026-01-01T00:00:00.000Z";
  const after = (days: number) => new Date(Date.parse(start) + days * 86_400_000);

  it("halves in a year where files never change, or nothing is known of them", () => {
    expect(recencyFactor(start, [], after(0))).toBe(1);
    expect(recencyFactor(start, [], after(365))).toBeCloseTo(0.5);
    expect(recencyFactor(start, [0, 0], after(365))).toBeCloseTo(0.5);
    expect(recencyFactor(start, [], after(730))).toBeCloseTo(0.25);
  });

  it("falls faster the more often the files change, up to a half in 30 days", () => {
    expect(recencyFactor(start, [0, 8], after(182.5))).toBeCloseTo(0.5);
    expect(recencyFactor(start, [12], after(91.25))).toBeCloseTo(0.5);
    expect(recencyFactor(start, [1000], after(30))).toBeCloseTo(0.5);
  });

  it("is 1 for a use that a clock of another machine puts into the future", () => {
    expect(recencyFactor(start, [3], after(-5))).toBe(1);
  });

  it("only falls with time and with churn, and stays between 0 and 1", () => {
    fc.assert(
      fc.property(fc.nat(5000), fc.nat(5000), fc.nat(200), fc.nat(200), (days, more, churn, moreChurn) => {
        const recency = recencyFactor(start, [churn], after(days));

        expect(recency).toBeGreaterThanOrEqual(0);
        expect(recency).toBeLessThanOrEqual(1);
        expect(recencyFactor(start, [churn], after(days + more))).toBeLessThanOrEqual(recency);
        expect(recencyFactor(start, [churn + moreChurn], after(days))).toBeLessThanOrEqual(recency);
      }),
    );
  });
});

function memoryAbout(...relatedFiles: string[]): Memory {
  return { ...sampleRecord({ relatedFiles }), project: "test", status: "active", currentConfidence: 0.8 };
}

function circumstances({
  changes = {},
  modifiedAt = {},
}: { changes?: Record<string, number>; modifiedAt?: Record<string, Date | "gone"> } = {}): FileCircumstances {
  return { changes: new Map(Object.entries(changes)), modifiedAt: new Map(Object.entries(modifiedAt)) };
}

const someFile = fc.constantFrom("a", "b", "c", "d");

function anyMemory(): fc.Arbitrary<Memory> {
  return fc
    .record({
      relatedFiles: fc.uniqueArray(someFile),
      status: fc.constantFrom(...statuses),
      currentConfidence: fc.double({ min: 0, max: 0.8, noNaN: true }),
      halfLifeDays: fc.constantFrom(7, 60),
    })
    .map((fields) => ({ ...memoryAbout(), ...fields }));
}

function anyCircumstances(): fc.Arbitrary<FileCircumstances> {
  const time = fc.oneof(fc.constant("gone" as const), fc.date({ noInvalidDate: true }));
  return fc.record({
    changes: fc.array(fc.tuple(someFile, fc.nat(2000))).map((entries) => new Map(entries)),
    modifiedAt: fc.array(fc.tuple(someFile, time)).map((entries) => new Map(entries)),
  });
}
