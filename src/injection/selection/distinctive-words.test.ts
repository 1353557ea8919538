import { describe, expect, it } from "vitest";
import { countDistinctive, countNeeded } from "./distinctive-words.js";

describe("countDistinctive", () => {
  it.each([
    [["webhook", "stripe"], 2],
    [["fixing", "tests", "files", "42"], 0],
    [["session.ts"], 2],
    [["getUserById"], 2],
    [["index.ts", "test-file", "runTests"], 0],
    [["连接", "接池", "池的"], 1.5],
    [[], 0],
  ])("counts what %j say", (words, count) => {
    expect(countDistinctive(words)).toBe(count);
  });
});

describe("countNeeded", () => {
  it("asks more of a long prompt", () => {
    const words = (count: number) => Array.from({ length: count }, (_, n) => `word${n}x`).join(" ");

    expect(countNeeded("fix the webhook")).toBe(2);
    expect(countNeeded(words(10))).toBeLessThan(countNeeded(words(60)));
  });
});
