import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countBits, bytesOf, toBinaryVector, vectorOf } from "./binary-vector.js";

describe("a one-bit code", () => {
  it("has a bit for each dimension that is above zero, the last byte filled up with none", () => {
    const code = toBinaryVector(Float32Array.of(0.5, -0.5, 0, 1, -1, -1, -1, -1, 2, -2));

    expect([...code]).toEqual([0b00001001, 0b00000001]);
  });

  it("is compared by counting bits, four words at a time, however many are set", () => {
    const word = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
    fc.assert(
      fc.property(word, word, word, word, (...words) => {
        const digits = words.map((one) => (one >>> 0).toString(2)).join("");

        expect(countBits(...words)).toBe(digits.replaceAll("0", "").length);
      }),
    );
    expect(countBits(-1, -1, -1, -1)).toBe(128);
  });

  it("stands beside a vector that comes back from its bytes as it was", () => {
    const vector = Float32Array.of(0.1, -3e-8, 1, 0);

    expect(vectorOf(Buffer.from(bytesOf(vector)).toString("hex"))).toEqual(vector);
  });
});
