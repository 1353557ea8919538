import { expect, it } from "vitest";
import { cutQuery } from "./cut-query.js";
import { queryWords } from "./words.js";

const log = (lines: number) =>
  Array.from({ length: lines }, (_, n) => `at step ${n % 50} of the usual output`).join("\n");

it("[TR89] leaves a query of up to 6,000 characters as it is", () => {
  const query = "How do we deploy? ".repeat(333);

  expect(cutQuery(query)).toEqual({ text: query });
});

it("[TR89] keeps the beginning, the end and the rarest words of a long one, and says so", () => {
  const query = `Why does deployment fail?\n${log(2000)}\nError in flushQueue: zanzibar\n${log(2000)}\nAnswer in one sentence.`;

  const { text, note } = cutQuery(query);

  expect(text).toMatch(/^Why does deployment fail\?/);
  expect(text).toMatch(/Answer in one sentence\.$/);
  expect(text).toMatch(/flushQueue .*zanzibar/);
  expect(note).toMatch(/^The query has [\d,]+ characters\. Searched for its beginning, /);
});

it.each([
  ["words that are all different", Array.from({ length: 150_000 }, (_, n) => `w${n}x`).join(" ")],
  ["one word without an end", "a".repeat(1_000_000)],
  ["a script without spaces", "記憶".repeat(500_000)],
  ["characters of two halves", "😀".repeat(500_000)],
  ["nothing", " ".repeat(1_000_000)],
  ["signs", "_.-".repeat(350_000)],
])("[TR89] looks up no more than 3,000 words of a megabyte of %s", (_, query) => {
  const { text } = cutQuery(query);

  expect(text.length).toBeLessThanOrEqual(6002);
  expect(text).not.toMatch(/\p{Cs}/u);
  expect(queryWords(text).words.length).toBeLessThanOrEqual(3000);
});
