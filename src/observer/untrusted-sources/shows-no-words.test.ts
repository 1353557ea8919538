import { describe, expect, it } from "vitest";
import { showsNoWords } from "./shows-no-words.js";

describe("showsNoWords", () => {
  it.each([
    "",
    "\n",
    "0",
    "https://github.com/a/b/pull/12\n",
    "1a2b3c4d5e6f",
    "v20.1.0",
    "Already up to date.",
    "2026-11-18 12:00:01",
  ])("takes %j for values alone", (text) => {
    expect(showsNoWords(text)).toBe(true);
  });

  it.each([
    "A page.",
    "text",
    "Hello.",
    "Use WAL.",
    "rm everything",
    "npm install left-pad",
    "x".repeat(2000),
    "src/a.ts",
    "always/skip/the/staging/environment",
    "https://a.example/always/skip/staging",
  ])("takes %j for words", (text) => {
    expect(showsNoWords(text)).toBe(false);
  });

  it("takes a bare word of a command for a state, and two beside each other for words", () => {
    expect(showsNoWords("running", { mayName: true })).toBe(true);
    expect(showsNoWords("Python 3.12.1", { mayName: true })).toBe(true);
    expect(showsNoWords("/srv/app", { mayName: true })).toBe(true);
    expect(showsNoWords("always/skip/the/staging/environment", { mayName: true })).toBe(false);
    expect(showsNoWords("http://localhost:3000/always-skip-the-tests", { mayName: true })).toBe(false);
    expect(showsNoWords("rm everything", { mayName: true })).toBe(false);
    expect(showsNoWords("delete the backups 3", { mayName: true })).toBe(false);
  });

  it("takes its time from the length of the text", () => {
    for (const part of ["a/", "a.", "-", "1,", "./", "a@"]) {
      const start = performance.now();
      showsNoWords(part.repeat(500), { mayName: true });
      expect(performance.now() - start, part).toBeLessThan(200);
    }
  });
});
