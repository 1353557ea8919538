import { describe, expect, it } from "vitest";
import { collect, fraction, jsonObject, keyValue, momentFrom, wholeNumber } from "./option-values.js";

const now = new Date("2026-03-10T12:00:00Z");

describe("numbers", () => {
  it("reads whole numbers from 1 and fractions from 0 to 1", () => {
    expect(wholeNumber("12")).toBe(12);
    expect(fraction("0")).toBe(0);
    expect(fraction(".5")).toBe(0.5);
  });

  it.each(["0", "-1", "1.5", "many", "", "1e3", "0x10", " 1"])("refuses %j as a whole number", (value) => {
    expect(() => wholeNumber(value)).toThrow("whole number");
  });

  it.each(["1.1", "-0.1", "much", "", ".", "1e-1", "NaN"])("refuses %j as a fraction", (value) => {
    expect(() => fraction(value)).toThrow("from 0 to 1");
  });
});

describe("momentFrom", () => {
  it.each([
    ["2999-01-01", "2999-01-01T00:00:00.000Z"],
    ["2026-01-31T18:00Z", "2026-01-31T18:00:00.000Z"],
    ["2026-01-31T18:00:05.25+02:00", "2026-01-31T16:00:05.250Z"],
    ["2026-01-31 18:00Z", "2026-01-31T18:00:00.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
  ])("reads %s as ISO 8601", (value, expected) => {
    expect(momentFrom(value, now, 1)).toBe(expected);
  });

  it("counts from now, backwards or forwards", () => {
    expect(momentFrom("7d", now, -1)).toBe("2026-03-03T12:00:00.000Z");
    expect(momentFrom("24h", now, -1)).toBe("2026-03-09T12:00:00.000Z");
    expect(momentFrom("30m", now, 1)).toBe("2026-03-10T12:30:00.000Z");
    expect(momentFrom("2w", now, 1)).toBe("2026-03-24T12:00:00.000Z");
  });

  it.each([
    "2026-02-30",
    "2026-13-01",
    "2026-01-31T25:00Z",
    "yesterday",
    "7",
    "d",
    "",
    "March 7",
    "999999999d",
    "1/2/2026",
  ])("refuses %j and says what it takes", (value) => {
    expect(() => momentFrom(value, now, -1)).toThrow("such as 2026-01-31");
  });
});

describe("keyValue, collect and jsonObject", () => {
  it("gathers repeated flags", () => {
    expect(collect("b", collect("a", undefined))).toEqual(["a", "b"]);
    expect(keyValue("c=d=e", keyValue("a=b", undefined))).toEqual({ a: "b", c: "d=e" });
  });

  it("keeps a key that objects treat specially as a plain key", () => {
    expect(Object.entries(keyValue("__proto__=x", undefined))).toEqual([["__proto__", "x"]]);
  });

  it.each(["alone", "=value", ""])("refuses %j as key and value", (value) => {
    expect(() => keyValue(value, undefined)).toThrow("key=value");
  });

  it("takes a JSON object and nothing else", () => {
    expect(jsonObject('{"a":[1]}')).toEqual({ a: [1] });
    for (const wrong of ["[]", "1", "null", "{", ""]) expect(() => jsonObject(wrong)).toThrow("JSON object");
  });
});
