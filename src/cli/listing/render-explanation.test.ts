import { describe, expect, it } from "vitest";
import type { Explanation } from "../../index.js";
import { renderExplanation } from "./render-explanation.js";

describe("renderExplanation", () => {
  it("names the rank and the strength in each path, and leaves out what changed nothing", () => {
    const lines = renderExplanation(
      explanationWith({
        paths: { words: { rank: 1, strength: 0.621 }, meaning: { rank: 3, strength: 0.48 } },
        evidence: 0.714,
      }),
    );

    expect(lines).toEqual(["words #1 0.62 · meaning #3 0.48 · evidence 0.71"]);
  });

  it("names what stands around it, what it was weighed by, and the signs that it may no longer hold", () => {
    const lines = renderExplanation(
      explanationWith({
        paths: { code: { rank: 2, strength: 1 } },
        lifts: { turns: 1.4, speaker: 0.7, time: 0.6, code: 1 },
        weights: { phase: 1.2, trust: 1.1667, confidence: 1, recency: 0.999, staleness: 0.85, place: 0.9, talk: 1 },
        reranked: 0.93,
        marks: ["src/a.ts changed in 5 commits since this was written"],
      }),
    );

    expect(lines).toEqual([
      "code #2 1.00 · evidence 0.50 · reranked 0.93",
      "around it: turns ×1.4, speaker ×0.7, time ×0.6",
      "weights: phase ×1.2, source ×1.17, files changed ×0.85, everywhere ×0.9",
      "src/a.ts changed in 5 commits since this was written",
    ]);
  });
});

function explanationWith(fields: Partial<Explanation>): Explanation {
  return {
    paths: {},
    lifts: { turns: 1, speaker: 1, time: 1, code: 1 },
    weights: { phase: 1, trust: 1, confidence: 1, recency: 1, staleness: 1, place: 1, talk: 1 },
    evidence: 0.5,
    marks: [],
    ...fields,
  };
}
