import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MemoryInput, RecallResult } from "../../src/index.js";
import { fakeEmbedder } from "../support/fake-embedder.js";
import { missingLists, naughtyStrings } from "../support/hostile-lists.js";
import { openWithMeaning } from "../support/open-with-meaning.js";
import { scoresOf } from "../support/scores-of.js";

describe("the scores of recall", () => {
  it("[R2] [R13] are from 0 to 1 and best first, the same the next time, and cut by minScore and limit only", async () => {
    await fc.assert(
      fc.asyncProperty(someMemories, someQuestion, fc.double({ min: 0, max: 1, noNaN: true }), async (...given) => {
        const [inputs, question, minScore] = given;
        const memory = await openWithMeaning(fakeEmbedder(), inputs);

        for (const mode of ["words", "hybrid"] as const) {
          const all = await memory.recall(question, { mode });
          const again = await memory.recall(question, { mode });
          const strong = await memory.recall(question, { mode, minScore });
          const few = await memory.recall(question, { mode, limit: 3 });

          const scores = scoresOf(all);
          expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
          expect(scores).toEqual(scores.toSorted((a, b) => b - a));
          expect(summaryOf(again)).toEqual(summaryOf(all));
          expect(summaryOf(strong)).toEqual(summaryOf(all.filter(({ score }) => score >= minScore)));
          expect(summaryOf(few)).toEqual(summaryOf(all.slice(0, 3)));
        }
        await memory.close();
      }),
      { numRuns: 25 },
    );
  });

  it("[R13] follow from the evidence, the weights and the code around, as the explanation has them", async () => {
    await fc.assert(
      fc.asyncProperty(someMemories, someQuestion, fc.constantFrom("implement", "explore"), async (...given) => {
        const [inputs, question, phase] = given;
        const memory = await openWithMeaning(fakeEmbedder(), inputs);

        const results = await memory.recall(question, { phase, explain: true });

        for (const result of results) expect(result.score).toBeCloseTo(explainedScore(result), 3);
        await memory.close();
      }),
      { numRuns: 25 },
    );
  });
});

describe("any text", () => {
  it("[R7] is a valid question by meaning too", async ({ skip }) => {
    skip(missingLists !== undefined, missingLists);
    const memory = await openWithMeaning(fakeEmbedder(), [
      { content: "the cache is warm" },
      ...naughtyStrings.slice(0, 40).flatMap((text) => (isKeepable(text) ? [{ content: text }] : [])),
    ]);

    for (const question of naughtyStrings) {
      const { mode, results } = await memory.recallReport(question, { limit: 5 });

      expect(mode).toBe(question.trim() === "" ? "words" : "hybrid");
      expect(scoresOf(results).every((score) => score >= 0 && score <= 1)).toBe(true);
    }
  });
});

const word = fc.constantFrom(..."cache build deploy lisbon flight price tea garden may 2023 ada bob".split(" "));
const sentence = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(" "));
const someQuestion = fc.oneof(sentence, fc.constantFrom("what did Ada say in May 2023?", "getCache()", "?!", ""));
const input = fc.record<MemoryInput>(
  {
    content: fc.tuple(sentence, fc.nat(99)).map(([text, n]) => `${text} ${n}`),
    type: fc.constantFrom("note", "gotcha", "conversation", "module_insight"),
    source: fc.constantFrom("user_taught", "agent_explicit", "observer_inferred"),
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    sessionId: fc.constantFrom("s", "t"),
    createdAt: fc.constantFrom("2023-05-10", "2023-06-02", "2026-11-01"),
    relatedFiles: fc.subarray(["src/a.ts", "src/b.ts"]),
  },
  { requiredKeys: ["content"] },
);
const someMemories = fc.array(input, { minLength: 1, maxLength: 20 });

function summaryOf(results: RecallResult[]): [id: string, score: number][] {
  return results.map(({ memory, score }) => [memory.id, score]);
}

/** The weights are an exponent of the doubt, together from 0.4 to 1.6; the place counts in full, the code around last. */
function explainedScore({ explanation }: RecallResult): number {
  if (!explanation) return NaN;
  const { evidence, weights, lifts } = explanation;
  const { place, talk, ...others } = weights;
  const product = Object.values(others).reduce((all: number, weight: number) => all * weight, 1);
  const weighed = place * (1 - (1 - evidence) ** Math.min(1.6, Math.max(0.4, product)));
  return 1 - (1 - Math.min(1, weighed * talk)) ** lifts.code;
}

function isKeepable(text: string): boolean {
  return text.trim() !== "" && !/\0|\p{Surrogate}/u.test(text);
}
