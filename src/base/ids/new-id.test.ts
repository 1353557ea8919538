import { describe, expect, it } from "vitest";
import { idFrom, newId } from "./new-id.js";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[78][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe("an id", () => {
  it("is a UUID of version 7 that begins with its time", () => {
    const id = newId(new Date("2026-11-17T00:00:00.001Z"));

    expect(id).toMatch(uuid);
    expect(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)).toBe(Date.parse("2026-11-17T00:00:00.001Z"));
  });

  it("sorts after one that was made a millisecond before", () => {
    const ids = [1_000, 1_001, 2 ** 40, Date.now(), 2 ** 45].map((ms) => newId(new Date(ms)));

    expect(ids.toSorted()).toEqual(ids);
  });

  it("is never made twice", () => {
    const now = new Date();

    expect(new Set(Array.from({ length: 10_000 }, () => newId(now))).size).toBe(10_000);
  });

  it("can be made before 1970, as far as a clock can be wrong", () => {
    expect(newId(new Date(-1))).toMatch(uuid);
  });

  it("that follows from texts is the same for ever", () => {
    expect(idFrom("a", "b")).toMatch(uuid);
    expect(idFrom("a", "b")).toBe("0473ef2d-c0d3-84ab-a59d-3580c1134e9d");
    expect(idFrom("ab")).not.toBe(idFrom("a", "b"));
  });
});
