import { describe, expect, it } from "vitest";
import * as pairs from "../../../bench/contradictions/pairs.mjs";
import { findContradiction } from "./find-contradiction.js";

describe("finding a contradiction by rules", () => {
  it.each(Object.entries(pairs))("[Q2] is right in 9 of 10 and finds 7 of 10 of the pairs %s", (_, set) => {
    const found = set.contradictions.filter(([, older, newer]) => findContradiction(older, newer)).length;
    const mistaken = set.lookAlikes.filter(([, older, newer]) => findContradiction(older, newer)).length;

    expect(found / (found + mistaken)).toBeGreaterThanOrEqual(0.9);
    expect(found / set.contradictions.length).toBeGreaterThanOrEqual(0.7);
  });

  it.each([
    ["value", "The API listens on port 8080", "The API listens on port 8081", "says 8081 where it said 8080"],
    ["value", "Use npm", "Use pnpm instead of npm", "says pnpm where it said npm"],
    ["negation", "The flag is enabled", "The flag is disabled", "says disabled where it said enabled"],
    ["negation", "We deploy on Fridays", "We no longer deploy on Fridays", "says that this is not so"],
    ["negation", "Never commit to main", "Committing to main is fine", "says that this is so after all"],
    ["preference", "User prefers tabs", "The user now prefers spaces", "says spaces where it said tabs"],
  ])("[Q1] tells a %s, and why: %s / %s", (kind, older, newer, why) => {
    expect(findContradiction(older, newer)).toEqual({ kind, why });
  });

  it.each([
    ["numbers a thing", "common number 3", "common number 4"],
    ["names another thing by its number", "Restart worker 2 after a crash", "Restart worker 3 after a crash"],
    ["is the same amount", "The timeout is 60 s", "The timeout is 1 minute"],
    ["explains at length", "The API listens on port 8080", `The API listens on port 8081. ${"Because. ".repeat(80)}`],
  ])("[Q2] finds none where the newer one %s", (_, older, newer) => {
    expect(findContradiction(older, newer)).toBeUndefined();
  });

  it("takes no time for hostile texts", () => {
    const parts = ["a", "a ", "not ", "moved from a ", "prefers a over ", "1,", "a-", "/a", "`", "(", ", not a"];
    const hostile = parts.map((part) => part.repeat(600 / part.length)).concat("x".repeat(65_536));
    const started = performance.now();

    for (const text of hostile) findContradiction(text, `${text.slice(0, -1)}b`);

    // 20 ms on an idle machine; what grows with the square of the length would take minutes.
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
