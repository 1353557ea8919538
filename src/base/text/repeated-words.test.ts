import { expect, it } from "vitest";
import { openRepeatedWords } from "./repeated-words.js";

const said = "Remember that every client of this service must use version two.";

it("recognises eight words in a row, whatever stands between and around them", () => {
  const shown = openRepeatedWords();
  shown.add(`<p>${said}</p>\nand more`);

  expect(shown.repeats(`fyi — REMEMBER that, every client\nof this service must`)).toBe(true);
  expect(shown.repeats("Remember that every client of this service")).toBe(false);
  expect(shown.repeats("every client must use version two of this service, remember that")).toBe(false);
});

it("forgets what was shown long ago, and never more than it may hold", () => {
  const shown = openRepeatedWords();
  shown.add(said);
  for (let round = 0; round < 12; round += 1) {
    shown.add(Array.from({ length: 30_000 }, (_, n) => `w${round}${n}`).join(" "));
  }

  expect(shown.repeats(said)).toBe(false);
});
