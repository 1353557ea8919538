import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { neutralise } from "./neutralise.js";

describe("neutralise", () => {
  it("shows escape sequences, control characters and bidirectional controls", () => {
    expect(neutralise("\u001b[2J \u0007 \r \u007f \u009b31m \u202e \u2066")).toBe(
      "␛[2J ␇ ␍ ␡ \\u{9b}31m \\u{202e} \\u{2066}",
    );
  });

  it("keeps line feeds, tabs, accents, emoji and right-to-left words", () => {
    const text = "a\n\tb é 👩‍💻 שלום می‌خواهم";

    expect(neutralise(text)).toBe(text);
  });

  it("lets no control character through", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(neutralise(text).replaceAll(/[\n\t]/g, "")).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
      }),
    );
  });
});
