import type { Explanation } from "../../index.js";

const lifts: Record<keyof Explanation["lifts"], string> = {
  turns: "turns",
  speaker: "speaker",
  time: "time",
  code: "code around",
};
const weights: Record<keyof Explanation["weights"], string> = {
  phase: "phase",
  trust: "source",
  confidence: "confidence",
  recency: "age",
  staleness: "files changed",
  place: "everywhere",
  talk: "kept or said",
};

/**
 * How a result was found and weighed, in a few short lines; what changed nothing is left out.
 *
 * @example
 * renderExplanation(explanation) // ["words #1 0.62 · meaning #3 0.48 · evidence 0.71", "around it: turns ×1.4"]
 */
export function renderExplanation(explanation: Explanation): string[] {
  const { paths, evidence, reranked, marks } = explanation;
  const around = listFactors(lifts, explanation.lifts);
  const weighed = listFactors(weights, explanation.weights);
  return [
    [
      ...Object.entries(paths).map(([path, { rank, strength }]) => `${path} #${rank} ${strength.toFixed(2)}`),
      `evidence ${evidence.toFixed(2)}`,
      ...(reranked === undefined ? [] : [`reranked ${reranked.toFixed(2)}`]),
    ].join(" · "),
    ...(around === "" ? [] : [`around it: ${around}`]),
    ...(weighed === "" ? [] : [`weights: ${weighed}`]),
    ...marks,
  ];
}

/** `turns ×1.4, time ×0.6` of what is not 1. */
function listFactors<Name extends string>(names: Record<Name, string>, factors: Record<Name, number>): string {
  return Object.entries<string>(names)
    .map(([name, label]) => [label, rounded(factors[name as Name])] as const)
    .filter(([, factor]) => factor !== 1)
    .map(([label, factor]) => `${label} ×${factor}`)
    .join(", ");
}

function rounded(factor: number): number {
  return Number(factor.toFixed(2));
}
