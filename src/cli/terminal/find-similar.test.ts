import { describe, expect, it } from "vitest";
import { findSimilar } from "./find-similar.js";

describe("findSimilar", () => {
  it.each([
    ["rember", "remember"],
    ["Recall", "recall"],
    ["lsit", "list"],
    ["forgt", "forget"],
  ])("takes %s for %s", (word, meant) => {
    expect(findSimilar(word, ["remember", "recall", "list", "forget"])).toBe(meant);
  });

  it.each(["x", "", "elephant"])("has no guess for %j", (word) => {
    expect(findSimilar(word, ["remember", "recall", "list", "forget"])).toBeUndefined();
  });
});
