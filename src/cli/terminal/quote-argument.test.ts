import { describe, expect, it } from "vitest";
import { quoteArgument } from "./quote-argument.js";

describe("quoted", () => {
  it.each([
    ["my-app", "my-app"],
    ["two words", '"two words"'],
    ["it's", `"it's"`],
    ["$HOME's", String.raw`'$HOME'\''s'`],
    ["", '""'],
  ])("types %j as %s", (arg, typed) => {
    expect(quoteArgument(arg)).toBe(typed);
  });
});
