import { describe, expect, it } from "vitest";
import { fakeEmbedder } from "../support/fake-embedder.js";
import { openTestMemory } from "../support/open-memories.js";
import { contentsOf, openWithMeaning } from "../support/open-with-meaning.js";
import { scoresOf } from "../support/scores-of.js";

describe("the scores of recall", () => {
  it("[R3] [R13] are 1 for an exact name, whatever speaks against the memory; it comes before a text that is the question", async () => {
    const memory = await openWithMeaning(fakeEmbedder(), [
      { content: "never touch it", name: "x", aliases: ["warm cache"], source: "observer_inferred", confidence: 0.1 },
      { content: "warm cache warm cache", source: "user_taught", confidence: 1 },
    ]);

    const results = await memory.recall("warm cache", { explain: true });

    expect(contentsOf(results)).toEqual(["never touch it", "warm cache warm cache"]);
    expect(scoresOf(results)).toEqual([1, 1]);
    expect(results[0]?.explanation).toMatchObject({ paths: { name: { rank: 1, strength: 1 } }, evidence: 1 });
  });

  it("[R13] name the rank and the strength of a memory in each path that found it", async () => {
    const memory = await openWithMeaning(fakeEmbedder(), [
      { content: "the cache is warm" },
      { content: "the cache is warm in the morning", relatedFiles: ["src/cache.ts"] },
      { content: "tea is served at noon", relatedFiles: ["src/tea.ts"] },
    ]);

    const results = await memory.recall("the cache is warm", { explain: true, recentFiles: ["src/tea.ts"] });

    const paths = new Map(results.map(({ memory: { content }, explanation }) => [content, explanation?.paths]));
    const [exact, longer] = [paths.get("the cache is warm"), paths.get("the cache is warm in the morning")];
    expect(exact).toMatchObject({ words: { rank: 1 }, meaning: { rank: 1 } });
    expect(exact?.meaning?.strength).toBeCloseTo(1, 5);
    expect(longer).toMatchObject({ words: { rank: 2 }, meaning: { rank: 2 } });
    expect(longer?.words?.strength).toBeLessThan(exact?.words?.strength ?? 0);
    expect(paths.get("tea is served at noon")?.code).toEqual({ rank: 1, strength: 1 });
    expect(contentsOf(results)[0]).toBe("the cache is warm");
  });

  it("[R13] come without an explanation unless it is asked for", async () => {
    const memory = await openTestMemory();
    await memory.remember({ content: "the cache is warm" });

    const report = await memory.recallReport("cache");

    expect(report.results[0]?.explanation).toBeUndefined();
    expect(report.heldBack).toEqual([]);
  });
});
