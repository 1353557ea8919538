import { expect, it } from "vitest";
import { linesOf, textAt } from "./text-lines.js";

const text = 'const smile = "😀ä"; open();\r\nclose();\n';

it("finds what stands at a range, whatever its columns count", () => {
  const columns = { "utf-8": 24, "utf-16": 21, "utf-32": 20 } as const;

  for (const [encoding, column] of Object.entries(columns) as [keyof typeof columns, number][]) {
    const lines = linesOf(text, encoding);
    expect(textAt(lines, rangeOf(0, column, column + 4))?.text, encoding).toBe("open");
    expect(textAt(lines, rangeOf(1, 0, 5))?.text, encoding).toBe("close");
  }
});

it("finds nothing where the text has no such place", () => {
  const lines = linesOf(text, "utf-8");

  // The second is in the middle of a letter.
  const ranges = [rangeOf(0, 20, 99), rangeOf(0, 16, 17), rangeOf(9, 0, 1), rangeOf(0, 5, 4), rangeOf(0, -1, 4)];
  expect(ranges.map((range) => textAt(lines, range))).toEqual(ranges.map(() => undefined));
});

function rangeOf(line: number, column: number, endColumn: number) {
  return { line, column, endLine: line, endColumn };
}
