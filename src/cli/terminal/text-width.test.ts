import { describe, expect, it } from "vitest";
import { fold, padTo, widthOf } from "./text-width.js";

describe("widthOf", () => {
  it.each([
    ["plain", 5],
    ["漢字", 4],
    ["한글", 4],
    ["e\u0301", 1],
    ["👍", 2],
    ["👨‍👩‍👧", 2],
    ["🇩🇪", 2],
    ["", 0],
  ])("%j takes %i columns", (text, width) => {
    expect(widthOf(text)).toBe(width);
    expect(widthOf(padTo(text, 8))).toBe(8);
  });
});

describe("fold", () => {
  it("breaks at spaces and marks what was left out", () => {
    expect(fold("one two three four", 9)).toEqual(["one two", "three", "four"]);
    expect(fold("one two three four", 9, 2)).toEqual(["one two", "three fo…"]);
    expect(fold("one two", 7)).toEqual(["one two"]);
  });

  it("breaks inside a word that is longer than a line, never inside a character", () => {
    expect(fold("abcdefgh", 3)).toEqual(["abc", "def", "gh"]);
    expect(fold("漢字漢字", 3)).toEqual(["漢", "字", "漢", "字"]);
  });

  it("comes to an end however narrow the page is", () => {
    expect(fold("漢字", 0)).toEqual(["漢", "字"]);
    expect(fold("漢字 x", -5, 3)).toHaveLength(3);
  });
});
