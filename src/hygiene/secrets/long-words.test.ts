import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasLongWord } from "./long-words.js";

describe("hasLongWord", () => {
  it("says what looking at every character would say", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a\t\n ]{0,60}$/), fc.integer({ min: 1, max: 20 }), (text, length) => {
        const longest = Math.max(...text.split(/\s/).map((word) => word.length));

        expect(hasLongWord(text, length)).toBe(longest >= length);
      }),
      { numRuns: 2000 },
    );
  });

  it("takes what it does not know for part of a word", () => {
    expect(hasLongWord("a\u00a0b\u0001c", 5)).toBe(true);
  });
});
