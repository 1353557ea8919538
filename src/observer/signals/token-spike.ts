import { moduleOf } from "../scratchpad/module-of.js";
import type { Action, OrderedNote, Scratchpad } from "../scratchpad/session-view.js";
import { evidenceOf, hasFailed, timeOf } from "./action-evidence.js";
import { moduleName } from "./main-module.js";
import { median } from "./median.js";
import { textOf } from "./past-data.js";
import { average, numbersOf } from "./past-numbers.js";
import { projectFiles } from "../scratchpad/project-files.js";
import type { Draft, PastSighting, Sighting, Signal } from "./signal.js";
import { code } from "./wording.js";

// Twice the usual, and a tenth of a window of 200,000. Chosen, not measured.
const leastRise = 2;
const leastTokens = 20_000;
const leastSteps = 4;
// Of the 736 sources and pages of this project: 3.8 bytes a token together, 3.2 to 4.2 for nine in ten (o200k_base, 2026-11).
const bytesOfToken = 3.8;
const maxFiles = 8;

/**
 * Reading a module fills the context: the steps after it take far more tokens than the session's others, and what was read
 * of that module explains at least half of the rise. A conversation that grows by itself, large results that are no files,
 * logs and tables of data, and reading all over the project show nothing.
 */
export const tokenSpike: Signal = {
  name: "token-spike",
  wording: { by: "values" },
  diagnostic: 0.6,
  crossSession: 0.6,
  falsePositives: 0.25,
  promotesTo: ["context_cost"],
  sessions: 3,
  detect,
  compose,
};

function detect(pad: Scratchpad): Sighting[] {
  const steps = pad.steps.filter((step): step is Measured => (step.inputTokens ?? 0) > 0);
  if (steps.length < leastSteps) return [];
  const usual = median(steps.map(({ inputTokens }) => inputTokens)) ?? 0;
  const peaks = peaksFrom(steps);
  return largestModules(pad.actions).flatMap(({ module, tokens, files, reads }) => {
    const first = reads[0];
    if (!first || tokens < leastTokens / 2) return [];
    const after = steps.findIndex(({ order }) => order > first.order);
    const peak = peaks[after];
    if (!peak) return [];
    // What was read stays in the context of every later step. Where most steps are later ones, the median is that level
    // itself; the steps before tell the usual then.
    const before =
      after < leastSteps - 1 ? usual : (median(steps.slice(0, after).map((step) => step.inputTokens)) ?? 0);
    const base = Math.min(usual, before);
    const isSpike = peak.inputTokens >= leastTokens && peak.inputTokens >= leastRise * base;
    return isSpike && tokens * 2 >= peak.inputTokens - base ? [sightingOf({ module, tokens, files, reads }, peak)] : [];
  });
}

type Measured = OrderedNote<"step"> & { inputTokens: number };

/** For each step, the one with the most tokens from there on. */
function peaksFrom(steps: readonly Measured[]): Measured[] {
  const peaks = [...steps];
  for (let index = peaks.length - 2; index >= 0; index--) {
    const [here, later] = [peaks[index], peaks[index + 1]];
    if (here && later && later.inputTokens > here.inputTokens) peaks[index] = later;
  }
  return peaks;
}

type FileCosts = Map<string, { tokens: number; sizes: Set<number> }>;

interface ModuleCost {
  module: string;
  tokens: number;
  files: FileCosts;
  reads: Action[];
}

/** The modules that took most. No more than two can explain half of a rise; one more where estimates are too high. */
function largestModules(actions: readonly Action[]): ModuleCost[] {
  return [...readsByModule(actions)]
    .map(([module, { files, reads }]) => {
      const tokens = [...files.values()].reduce((sum, { tokens: some }) => sum + some, 0);
      return { module, tokens, files, reads };
    })
    .toSorted((a, b) => b.tokens - a.tokens)
    .slice(0, 3);
}

// What programs print is not what a module is understood by.
const isPrinted = /(?:^|\/)(?:logs?|tmp)\/|\.(?:log|out|trace|har|jsonl|ndjson|csv|tsv)(?:\.\d+)?$/i;

/** What was read of each module, and about how many tokens each of its files took. */
function readsByModule(actions: readonly Action[]): Map<string, { files: FileCosts; reads: Action[] }> {
  const modules = new Map<string, { files: FileCosts; reads: Action[] }>();
  for (const action of actions) {
    if (action.does !== "read" || !action.bytes || hasFailed(action)) continue;
    const all = action.files?.length ?? 0;
    for (const file of projectFiles(action)) {
      if (isPrinted.test(file)) continue;
      const bytes = action.bytes / all;
      const name = moduleOf(file);
      const module = modules.get(name) ?? { files: new Map() as FileCosts, reads: [] };
      modules.set(name, module);
      const cost = module.files.get(file) ?? { tokens: 0, sizes: new Set() };
      module.files.set(file, cost);
      // The same part read again has the same size, and understanding it takes one reading.
      if (!cost.sizes.has(bytes)) cost.tokens += bytes / bytesOfToken;
      cost.sizes.add(bytes);
      if (module.reads.at(-1) !== action) module.reads.push(action);
    }
  }
  return modules;
}

function sightingOf({ module, tokens, files: costs, reads }: ModuleCost, peak: Measured): Sighting {
  const files = [...costs].toSorted(([, a], [, b]) => b.tokens - a.tokens).slice(0, maxFiles);
  const largest = reads.toSorted((a, b) => (b.bytes ?? 0) - (a.bytes ?? 0)).slice(0, 9);
  return {
    signal: "token-spike",
    subject: module,
    orders: [...reads.map(({ order }) => order), peak.order],
    data: { module, tokens: Math.round(tokens), files: files.map(([file, cost]) => [file, Math.round(cost.tokens)]) },
    evidence: [
      ...evidenceOf(largest),
      { at: timeOf(peak.at), did: `took a step with ${inThousands(peak.inputTokens)} tokens of input` },
    ].toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)),
  };
}

function compose(_subject: string, sightings: readonly PastSighting[]): Draft | undefined {
  const module = sightings[0] && textOf(sightings[0], "module");
  const tokens = average(numbersOf(sightings, "tokens"));
  if (!module || tokens <= 0) return undefined;
  const files = averageByFile(sightings);
  const [largest] = files;
  const share = largest && largest.tokens * 2 > tokens ? "most of it is" : "the largest part is";
  const isTelling = largest && files.length > 1 && largest.tokens * 4 > tokens;
  const part = isTelling ? `; ${share} ${code(largest.file)} (${inThousands(largest.tokens)})` : "";
  return {
    type: "context_cost",
    content: `Understanding ${moduleName(module)} takes about ${inThousands(tokens)} tokens${part}.`,
    data: {
      module,
      averageTokens: Math.round(tokens),
      sampleCount: sightings.length,
      files: files.map(({ file, tokens: some }) => ({ file, tokens: Math.round(some) })),
    },
    relatedFiles: files.slice(0, 3).map(({ file }) => file),
    relatedModules: [module],
  };
}

/** What each file took over all the sessions, where one that did not read it counts as nothing; the largest first. */
function averageByFile(sightings: readonly PastSighting[]): { file: string; tokens: number }[] {
  const sums = new Map<string, number>();
  for (const { data } of sightings) {
    for (const pair of Array.isArray(data.files) ? data.files : []) {
      const [file, tokens] = Array.isArray(pair) ? pair : [];
      if (typeof file === "string" && typeof tokens === "number") sums.set(file, (sums.get(file) ?? 0) + tokens);
    }
  }
  return [...sums]
    .map(([file, sum]) => ({ file, tokens: sum / sightings.length }))
    .toSorted((a, b) => b.tokens - a.tokens || (a.file < b.file ? -1 : 1))
    .slice(0, maxFiles);
}

function inThousands(tokens: number): string {
  return (Math.round(tokens / 1000) * 1000).toLocaleString("en-US");
}
