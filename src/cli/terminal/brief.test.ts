import { describe, expect, it } from "vitest";
import { brief } from "./brief.js";

describe("brief", () => {
  it.each([
    ["--tga", "--tga"],
    ["", ""],
    ["x".repeat(40), "x".repeat(40)],
    ["x".repeat(41), `${"x".repeat(39)}…`],
    ["-----BEGIN KEY-----\nsecret", "-----BEGIN KEY-----…"],
    ["one\rsecret", "one…"],
    ["one\u2028secret", "one…"],
    ["\n\none\n", "one"],
    ["👍".repeat(41), `${"👍".repeat(39)}…`],
  ])("shows %j as %j", (typed, shown) => {
    expect(brief(typed)).toBe(shown);
  });
});
