import { expect, it } from "vitest";
import { ndcg, recallAt, reciprocalRank, sessionsOf } from "./scores.mjs";

it("counts the share of the right ones that are among the first", () => {
  const found = ["a", "x", "b", "y"];

  expect(recallAt(2, ["a", "b"], found)).toBe(0.5);
  expect(recallAt(3, ["a", "b"], found)).toBe(1);
  expect(recallAt(3, ["z"], found)).toBe(0);
});

it("looks for the first right answer among ten and no further", () => {
  const ten = Array.from({ length: 10 }, (_, n) => `wrong ${n}`);

  expect(reciprocalRank(["a", "b"], ["x", "b", "a"])).toBe(0.5);
  expect(reciprocalRank(["a"], [...ten, "a"])).toBe(0);
});

it("gives 1 for the best order there is, and less for every other", () => {
  const grades = new Map([
    ["best", 4],
    ["good", 2],
    ["useless", 0],
  ]);

  expect(ndcg(grades, ["best", "good"])).toBe(1);
  expect(ndcg(grades, ["good", "best"])).toBeCloseTo((2 + 4 / Math.log2(3)) / (4 + 2 / Math.log2(3)));
  expect(ndcg(grades, ["useless", "unknown"])).toBe(0);
  expect(ndcg(new Map([["useless", 0]]), ["useless"])).toBe(0);
});

it("puts a session where its best turn stands", () => {
  const sessionOf = new Map([
    ["t1", "one"],
    ["t2", "two"],
    ["t3", "one"],
  ]);

  expect(sessionsOf(["t2", "t1", "t3"], sessionOf)).toEqual(["two", "one"]);
});
