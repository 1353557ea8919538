import { expect, it } from "vitest";
import { countOf } from "./count-of.js";

it.each([
  [0, "file", "0 files"],
  [1, "memory", "1 memory"],
  [2, "memory", "2 memories"],
  [2, "day", "2 days"],
  [1234, "dependency", "1,234 dependencies"],
])("countOf(%d, %j) is %j", (count, noun, text) => {
  expect(countOf(count, noun)).toBe(text);
});
