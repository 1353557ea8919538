import type { Json } from "../../base/base.js";
import type { PastSighting } from "./signal.js";

/** A step that several sessions have in common. */
export interface PastStep {
  key: string;
  kind: string;
  /** Of an edit: the files that it was each time; where there is none of these, the one of the newest session. */
  files: string[];
  isFixed: boolean;
  /** Of a run: the command as it was typed each time, else its name. */
  command: string;
}

export interface CommonSteps {
  steps: PastStep[];
  /** The sessions that did all of them, oldest first. */
  supporting: PastSighting[];
}

interface KeptStep {
  key: string;
  kind: string;
  what: string[];
}

interface Sequence {
  sighting: PastSighting;
  before: KeptStep[];
  anchor: KeptStep;
  after: KeptStep[];
}

const newest = 6;
const most = 8;

/**
 * The steps that so many of the newest sessions did in the same order around the one that they are known by, and the
 * sessions that did all of them. Of several possibilities the one with most steps; each step once, at most eight.
 */
export function commonSteps(sightings: readonly PastSighting[], sessions: number): CommonSteps | undefined {
  const all = sightings.flatMap((sighting) => toSequence(sighting) ?? []);
  let best: { before: string[]; after: string[] } | undefined;
  for (const some of choose(all.slice(-newest), sessions)) {
    const before = some.map((one) => keysOf(one.before)).reduce(inBoth);
    const after = some.map((one) => keysOf(one.after)).reduce(inBoth);
    if (!best || before.length + after.length >= best.before.length + best.after.length) best = { before, after };
  }
  if (!best) return undefined;
  const { before, after } = best;
  const supporting = all.flatMap((sequence) => {
    // Of several with the same key the nearest counts: what lies farther back is more likely other work.
    const earlier = pick(sequence.before.toReversed(), before.toReversed())?.toReversed();
    const later = pick(sequence.after, after);
    return earlier && later ? [{ ...sequence, steps: [...earlier, sequence.anchor, ...later] }] : [];
  });
  if (supporting.length < sessions) return undefined;
  const steps = supporting[0]?.steps.map((_, index) => toStep(supporting.flatMap((one) => one.steps[index] ?? [])));
  return { steps: once(steps ?? [], before.length), supporting: supporting.map(({ sighting }) => sighting) };
}

function toSequence(sighting: PastSighting): Sequence | undefined {
  const { steps, at } = sighting.data;
  const kept = Array.isArray(steps) ? steps.flatMap(toKept) : [];
  const anchor = typeof at === "number" ? kept[at] : undefined;
  if (!anchor || typeof at !== "number") return undefined;
  return { sighting, before: kept.slice(0, at), anchor, after: kept.slice(at + 1) };
}

function toKept(step: Json): KeptStep[] {
  if (typeof step !== "object" || step === null || Array.isArray(step)) return [];
  const { key, kind, what } = step;
  if (typeof key !== "string" || typeof kind !== "string" || !Array.isArray(what)) return [];
  return [{ key, kind, what: what.filter((one) => typeof one === "string") }];
}

function keysOf(steps: readonly KeptStep[]): string[] {
  return steps.map(({ key }) => key);
}

/** All ways to take so many of some things, in their order. */
function choose<T>(things: readonly T[], count: number): T[][] {
  if (count === 0) return [[]];
  return things.flatMap((thing, index) => choose(things.slice(index + 1), count - 1).map((rest) => [thing, ...rest]));
}

/** The longest list of keys that both have in the same order. */
function inBoth(a: readonly string[], b: readonly string[]): string[] {
  const lengths = Array.from({ length: a.length + 1 }, () => Array.from({ length: b.length + 1 }, () => 0));
  const at = (row: number, column: number) => lengths[row]?.[column] ?? 0;
  for (let row = a.length - 1; row >= 0; row--) {
    for (let column = b.length - 1; column >= 0; column--) {
      const isSame = a[row] === b[column];
      const longest = isSame ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
      (lengths[row] as number[])[column] = longest;
    }
  }
  const common: string[] = [];
  for (let row = 0, column = 0; row < a.length && column < b.length;) {
    if (a[row] === b[column]) {
      common.push(a[row] as string);
      row++;
      column++;
    } else if (at(row + 1, column) >= at(row, column + 1)) row++;
    else column++;
  }
  return common;
}

/** The steps with these keys, in this order; undefined where they are not all there. */
function pick(steps: readonly KeptStep[], keys: readonly string[]): KeptStep[] | undefined {
  const picked: KeptStep[] = [];
  for (const step of steps) if (step.key === keys[picked.length]) picked.push(step);
  return picked.length === keys.length ? picked : undefined;
}

/** One step out of what each session did for it, oldest first. */
function toStep(done: readonly KeptStep[]): PastStep {
  const last = done.at(-1);
  const fixed = (last?.what ?? []).filter((file) => done.every(({ what }) => what.includes(file)));
  const files = fixed.length > 0 ? fixed : (last?.what ?? []).slice(0, 1);
  return {
    key: last?.key ?? "",
    kind: last?.kind ?? "other",
    files: last?.kind === "edit" ? files : [],
    isFixed: fixed.length > 0,
    command: fixed[0] ?? last?.key.replace(/^run /, "") ?? "",
  };
}

/** What is done again is one step: an edit where it was first made, a run where it told in the end. */
function once(steps: readonly PastStep[], anchor: number): PastStep[] {
  const nameOf = ({ key, files, isFixed }: PastStep) => (isFixed && files.length > 0 ? files.join("\n") : key);
  const names = steps.map(nameOf);
  const kept = steps.flatMap((step, index) => {
    const name = nameOf(step);
    if (name === names[anchor]) return index === anchor ? [step] : [];
    return (step.kind === "edit" ? names.indexOf(name) : names.lastIndexOf(name)) === index ? [step] : [];
  });
  const middle = kept.indexOf(steps[anchor] as PastStep);
  const later = kept.slice(middle + 1);
  const after = later.length > most / 2 ? [...later.slice(0, most / 2 - 1), ...later.slice(-1)] : later;
  return [...kept.slice(Math.max(0, middle + after.length + 1 - most), middle + 1), ...after];
}
