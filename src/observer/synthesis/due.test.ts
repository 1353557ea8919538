import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listDue, weekOf } from "./due.js";

const now = new Date("2026-11-11T12:00:00Z");

describe("what is due", () => {
  it("is a module at 5, 10, 20, 50 and 100 sessions, and at no other number", () => {
    const made = new Set<string>(["*\nweek 2026-46"]);
    const at: number[] = [];
    for (let sessions = 1; sessions <= 300; sessions += 1) {
      for (const { module, occasion } of listDue(new Map([["src/a", sessions]]), made, {
        sessions,
        now,
        force: false,
      })) {
        made.add(`${module}\n${occasion}`);
        at.push(sessions);
      }
    }

    expect(at).toEqual([5, 10, 20, 50, 100]);
  });

  it("is the highest number that a module has reached where several were missed", () => {
    const due = listDue(new Map([["src/a", 23]]), new Set(), { sessions: 23, now, force: false });

    expect(due).toEqual([
      { module: "src/a", occasion: "at 20", sessions: 23 },
      { module: "*", occasion: "week 2026-46", sessions: 23 },
    ]);
  });

  it("is nothing while there are fewer than five sessions, even when it is asked for", () => {
    for (const force of [false, true]) {
      expect(listDue(new Map([["src/a", 4]]), new Set(), { sessions: 4, now, force })).toEqual([]);
    }
  });

  it("is everything again when it is asked for, under the name of the day", () => {
    const made = new Set(["src/a\nat 5", "*\nweek 2026-46", "src/a\nasked 2026-11-11"]);

    const due = listDue(new Map([["src/a", 7]]), made, { sessions: 7, now, force: true });

    expect(due.map(({ module, occasion }) => `${module} ${occasion}`)).toEqual([
      "src/a asked 2026-11-11",
      "* asked 2026-11-11",
    ]);
  });
});

describe("weekOf", () => {
  // ISO 8601 by hand: 2027 begins on a Friday, 2026 has 53 weeks, 2025-12-29 is a Monday of 2026.
  it.each([
    ["2026-11-15T23:59:59Z", "week 2026-46"],
    ["2026-11-16T00:00:00Z", "week 2026-47"],
    ["2025-12-28T12:00:00Z", "week 2025-52"],
    ["2025-12-29T00:00:00Z", "week 2026-01"],
    ["2026-01-01T00:00:00Z", "week 2026-01"],
    ["2026-12-31T12:00:00Z", "week 2026-53"],
    ["2027-01-01T12:00:00Z", "week 2026-53"],
    ["2027-01-03T23:59:59Z", "week 2026-53"],
    ["2027-01-04T00:00:00Z", "week 2027-01"],
    ["2024-12-30T00:00:00Z", "week 2025-01"],
    ["2024-02-29T00:00:00Z", "week 2024-09"],
  ])("of %s is %s", (time, week) => {
    expect(weekOf(new Date(time))).toBe(week);
  });

  it("is the same for the seven days from Monday, and another one a week later", () => {
    const monday = Date.parse("2024-01-01T00:00:00Z");
    const day = 86_400_000;

    fc.assert(
      fc.property(fc.nat(3000), fc.nat(6), fc.nat(day - 1), (weeks, days, ms) => {
        const begin = monday + weeks * 7 * day;
        const week = weekOf(new Date(begin));
        expect(weekOf(new Date(begin + days * day + ms))).toBe(week);
        expect(weekOf(new Date(begin + 7 * day)) > week).toBe(true);
      }),
    );
  });
});
