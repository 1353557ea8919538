import * as fc from "fast-check";
import { countTokens as countWhole } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { loadTokenCounter } from "./count-tokens.js";

const asText = { disallowedSpecial: new Set<string>() };

describe("counting model tokens", () => {
  it("gives what the tokenizer gives", async () => {
    const countTokens = await loadTokenCounter();

    expect(countTokens("")).toBe(0);
    expect(countTokens("Deploy on Monday.")).toBe(4);
    expect(countTokens("getUserById(東京都) 👩‍💻\r\n\tnaïve")).toBe(countWhole("getUserById(東京都) 👩‍💻\r\n\tnaïve"));
  });

  it("takes what spells a special token for text", async () => {
    const countTokens = await loadTokenCounter();

    expect(countTokens("<|endoftext|>")).toBeGreaterThan(1);
  });

  it("agrees with the tokenizer on any text without a long run, broken characters included", async () => {
    const countTokens = await loadTokenCounter();

    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => {
        expect(countTokens(text)).toBe(countWhole(text, asText));
      }),
    );
  });

  it("never counts too little where it cuts a run, and hardly too much", async () => {
    const countTokens = await loadTokenCounter();
    const alphabets = [
      "a",
      "ab",
      "aA",
      "etaoinshr",
      "漢",
      "漢字的一是不了",
      "-",
      "-_=",
      " ",
      "\n",
      "кот",
      "e\u0301",
      "👩‍💻",
    ];
    const run = fc
      .constantFrom(...alphabets)
      .chain((alphabet) =>
        fc.string({ unit: fc.constantFrom(...Array.from(alphabet)), minLength: 500, maxLength: 1800 }),
      );

    fc.assert(
      fc.property(run, (text) => {
        const whole = countWhole(text, asText);

        expect(countTokens(text)).toBeGreaterThanOrEqual(whole);
        expect(countTokens(text)).toBeLessThanOrEqual(whole * 1.05 + 10);
      }),
    );
  });

  it("reads a run of 64 KiB in 128 pieces, where the whole would take seconds", async () => {
    const countTokens = await loadTokenCounter();

    for (const letter of ["a", "-", "\n", " "]) {
      const piece = countWhole(letter.repeat(512));

      expect(countTokens(letter.repeat(65_536))).toBe(128 * (piece + 1));
    }
  });
});
