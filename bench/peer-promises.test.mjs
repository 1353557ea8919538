import { expect, it } from "vitest";
import { promisesOf } from "./peer-promises.mjs";

it("compares a peer with the fastest mode that finds as much", () => {
  const lines = linesWith({
    "LoCoMo dev, R@10": { "tacit-hybrid": 81, "tacit-words": 77, minisearch: 57, orama: 79 },
    "100: R@10": { "tacit-hybrid": 55, "tacit-words": 53, minisearch: 40, orama: 40 },
    "100: an answer, ms p50": { "tacit-hybrid": 20, "tacit-words": 5, minisearch: 30, orama: 30 },
  });

  const promises = promisesOf(lines, { base: "tacit-hybrid", largest: 100 });

  expect(valueOf(promises, "p50 of minisearch")).toBe(6);
  expect(valueOf(promises, "p50 of orama")).toBe(1.5);
});

it("misses against a peer that finds more than every mode", () => {
  const lines = linesWith({
    "LoCoMo dev, R@10": { "tacit-hybrid": 81, "tacit-words": 77, minisearch: 90 },
    "100: R@10": { "tacit-hybrid": 55, "tacit-words": 53, minisearch: 40 },
    "100: an answer, ms p50": { "tacit-hybrid": 20, "tacit-words": 5, minisearch: 1000 },
  });

  const promises = promisesOf(lines, { base: "tacit-hybrid", largest: 100 });

  expect(valueOf(promises, "p50 of minisearch")).toBe(0);
  expect(valueOf(promises, "LoCoMo dev, R@10")).toBe(0.9);
});

it("does not hold against Tacit what a peer found among fewer memories", () => {
  const lines = linesWith({
    "LoCoMo dev, R@10": { "tacit-hybrid": 81, "tacit-words": 77, mem0: 57 },
    "100: R@10": { "tacit-hybrid": 55, "tacit-words": 53, mem0: 60 },
    "100: an answer, ms p50": { "tacit-hybrid": 20, "tacit-words": 5, mem0: 700 },
  });
  for (const line of lines.values()) line.cut = ["mem0"];

  const promises = promisesOf(lines, { base: "tacit-hybrid", largest: 100 });

  expect(valueOf(promises, "p50 of mem0")).toBe(140);
});

it("leaves out a peer that was not measured", () => {
  const promises = promisesOf(linesWith({}), { base: "tacit-hybrid", largest: 100 });

  expect(promises.map(({ what }) => what).filter((what) => what.startsWith("100:"))).toEqual([]);
});

function linesWith(given) {
  const whats = [
    "LoCoMo dev, R@10",
    "LoCoMo dev, held out, R@10",
    "Cranfield, nDCG@10",
    "100: R@10",
    "100: an answer, ms p50",
  ];
  return new Map(whats.map((what) => [what, { what, values: given[what] ?? {}, cut: [] }]));
}

function valueOf(promises, part) {
  return promises.find(({ what }) => what.includes(part)).value;
}
