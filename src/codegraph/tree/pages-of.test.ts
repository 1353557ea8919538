import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonPagesOf, pagesOf } from "./pages-of.js";

describe("pagesOf", () => {
  it("leaves nothing out, keeps the order, and fills no page with more than two million letters", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 3_000_000 })), (lengths) => {
        const pages = [...pagesOf(lengths, (length) => length)];

        expect(pages.flat()).toEqual(lengths);
        for (const page of pages) {
          const letters = page.reduce((sum, length) => sum + length, 0);
          expect(page.length).toBeGreaterThan(0);
          expect(page.length === 1 || letters <= 2_000_000).toBe(true);
        }
      }),
    );
  });

  it("gives rows as lists in JSON, and none where there are no rows", () => {
    expect([...jsonPagesOf([[1, "a"], [2]])]).toEqual(['[[1,"a"],[2]]']);
    expect([...jsonPagesOf([])]).toEqual([]);
  });
});
