import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../base/tokens/estimate-tokens.js";
import { chooseSections } from "./choose-sections.js";

const offered = [
  { title: "store: 3 files", lines: ["Keeps rows."], most: 1 },
  { title: "Memories", lines: ["one", "two", "three", "four", "five"], most: 4 },
  { title: "Files", lines: ["src/a.ts", "src/b.ts"], most: 12 },
];

describe("the sections of a digest", () => {
  it("[G29] are all there where they fit, and say how many lines are not", () => {
    expect(chooseSections(offered, 1000, estimateTokens)).toEqual([
      { title: "store: 3 files", lines: ["Keeps rows."] },
      { title: "Memories", lines: ["one", "two", "three", "four", "… and 1 more"] },
      { title: "Files", lines: ["src/a.ts", "src/b.ts"] },
    ]);
  });

  it("[G29] lose the least important first", () => {
    expect(chooseSections(offered, 25, estimateTokens).map(({ title }) => title)).toEqual([
      "store: 3 files",
      "Memories",
    ]);
    expect(chooseSections(offered, 1, estimateTokens)).toEqual([{ title: "store: 3 files", lines: [] }]);
  });

  it("[G29] never take more than they may, however long their lines are", () => {
    const lines = fc.array(
      fc.string({ maxLength: 60 }).map((text) => text.replaceAll(/\s/g, " ")),
      { maxLength: 20 },
    );
    const section = fc.record({
      title: fc.constantFrom("Memories", "Files"),
      lines,
      most: fc.integer({ min: 1, max: 12 }),
    });

    fc.assert(
      fc.property(
        fc.array(section, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 10, max: 500 }),
        (some, budget) => {
          const text = chooseSections(some, budget, estimateTokens)
            .map(({ title, lines: chosen }) => [title, ...chosen.map((line) => `  ${line}`)].join("\n"))
            .join("\n\n");

          expect(estimateTokens(text)).toBeLessThanOrEqual(budget);
        },
      ),
    );
  });
});
