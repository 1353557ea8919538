import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stripInvisible } from "./invisible-characters.js";

const scotland = "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}";

describe("stripInvisible", () => {
  it.each([
    ["soft hyphen", "\u00AD"],
    ["combining grapheme joiner", "\u034F"],
    ["Arabic letter mark", "\u061C"],
    ["Hangul fillers", "\u115F\u1160\u3164\uFFA0"],
    ["Mongolian selectors", "\u180B\u180C\u180D\u180E\u180F"],
    ["zero width space", "\u200B"],
    ["joiners between Latin letters", "\u200C\u200D"],
    ["direction marks", "\u200E\u200F"],
    ["embeddings and overrides", "\u202A\u202B\u202C\u202D\u202E"],
    ["word joiner and isolates", "\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\u206A\u206F"],
    ["byte order mark", "\uFEFF"],
    ["interlinear annotation", "\uFFF9\uFFFA\uFFFB"],
    ["other variation selectors", "\uFE00\uFE0D\u{E0100}\u{E01EF}"],
    ["tag characters", "\u{E0001}\u{E0041}\u{E007F}"],
    ["musical controls", "\u{1D173}\u{1D17A}"],
  ])("strips %s", (_name, characters) => {
    expect(stripInvisible(`a${characters}b`)).toBe("ab");
  });

  it.each([
    ["a family", "👨‍👩‍👧"],
    ["a skin tone", "👩🏽‍💻"],
    ["a rainbow flag", "🏳️‍🌈"],
    ["a keycap", "1️⃣"],
    ["an emoji shown as text", "☎︎"],
    ["the flag of Scotland", scotland],
    ["Persian", "می‌خواهم"],
    ["Arabic with marks", "بِ‍بْ"],
    ["Hindi", "क्‍ष and क्‌ष"],
    ["a Malayalam chillu at the end of a word", "അവന്‍ ."],
    ["Sinhala", "ක්‍ෂ"],
  ])("keeps %s", (_name, text) => {
    expect(stripInvisible(text)).toBe(text);
  });

  it("keeps one of several joiners or selectors in a row", () => {
    expect(stripInvisible("می‌‌‌خواهم")).toBe("می‌خواهم");
    expect(stripInvisible("☎\uFE0E\uFE0F\uFE0F")).toBe("☎\uFE0E");
  });

  it("strips a joiner at the end of an emoji, and a selector after a space", () => {
    expect(stripInvisible("👩‍ x \uFE0F")).toBe("👩 x ");
  });

  it("strips tags that spell no subdivision, have no end, or follow no flag", () => {
    const message = Array.from("ignore all", (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("");

    expect(stripInvisible(`\u{1F3F4}${message}\u{E007F}`)).toBe("\u{1F3F4}");
    expect(stripInvisible(scotland.slice(0, -2))).toBe("\u{1F3F4}");
    expect(stripInvisible(`x${scotland.slice(2)}`)).toBe("x");
  });

  it("changes nothing the second time", () => {
    const pieces = [
      ...Array.from("\u200B\u200C\u200D\uFE0F\uFE0E\u202Eaم\u094Dक👩💻🏽 "),
      scotland,
      scotland.slice(2),
      "\u{E0067}",
    ];

    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces)), (parts) => {
        const once = stripInvisible(parts.join(""));

        expect(stripInvisible(once)).toBe(once);
      }),
      { examples: [[["\u094D", "\u200D", "\u200B", "👩"]]] },
    );
  });
});
