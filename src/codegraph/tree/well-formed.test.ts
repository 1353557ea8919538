import * as fc from "fast-check";
import { expect, it } from "vitest";
import { wellFormed, wellFormedText } from "./well-formed.js";

it("[G5] JSON loses halves of characters and zeros, and nothing else", () => {
  const pieces = ["\uD83D", "\uDE00", "\0", "\u0001", "\\", "\\u0000", "ud83d", '"', "\n", "a", "ü"];
  const text = fc.array(fc.constantFrom(...pieces)).map((all) => all.join(""));
  fc.assert(
    fc.property(text, text, (key, value) => {
      const kept = JSON.parse(wellFormed(JSON.stringify({ [key]: [value] }))) as unknown;

      expect(kept).toEqual({ [wellFormedText(key)]: [wellFormedText(value)] });
      expect(Buffer.from(wellFormedText(value)).toString()).toBe(wellFormedText(value));
      expect(wellFormedText(value)).not.toContain("\0");
    }),
  );
});
