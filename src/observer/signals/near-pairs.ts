import type { Action } from "../scratchpad/session-view.js";
import type { Touch } from "./touched-files.js";

/** Two files that one session had near each other, the smaller path first. */
export interface Pair {
  a: string;
  b: string;
  /** Whether the session came to `a` before it came to `b`; where it changed both, whether it changed `a` before. */
  aFirst: boolean;
  /** How long it took from one to the other when they were nearest. */
  delayMs: number;
  /** Whether it changed both. */
  edited: boolean;
}

/** A pair, and what it rests on. */
export interface NearPair extends Pair {
  /**
   * How far apart the session first came to each of them: in files touched, or where it changed both, from the first
   * change of the one to that of the other in changes.
   */
  lead: number;
  near: [Action, Action];
  edits: Action[];
  /** Of two that were only read: what the session first came to between them, where that is little. */
  between: string[];
}

// What is farther apart is a different thought. Of a quick session, 5 minutes are too many files to tell anything.
const nearActions = 10;
const nearMs = 5 * 60_000;
const maxGap = 12;
const maxBetween = 4;
const maxPairs = 300;

/** The pairs of files that a session had near each other: changed ones first, then the nearest; at most 300. */
export function findPairs(touches: readonly Touch[]): readonly NearPair[] {
  const before = known.get(touches);
  if (before) return before;
  const found = lookForPairs(touches);
  known.set(touches, found);
  return found;
}

// The statistics of the project and the signal ask for the same.
const known = new WeakMap<readonly Touch[], readonly NearPair[]>();

function lookForPairs(touches: readonly Touch[]): NearPair[] {
  /** Where the session first came to each file, which also stands for the file. */
  const first = new Map<string, number>();
  const edits = new Map<string, { action: Action; number: number }>();
  let changes = 0;
  const numbers = touches.map(({ file, isEdit, action }, index) => {
    const number = first.get(file) ?? index;
    first.set(file, number);
    if (isEdit) edits.set(file, { action, number: edits.get(file)?.number ?? changes++ });
    return number;
  });
  const files = [...first.keys()];
  const places = new Map(files.map((file, place) => [file, place]));
  return findNearest(touches, numbers, edits).map(({ from, to }) => {
    const [a, b] = from.file < to.file ? [from.file, to.file] : [to.file, from.file];
    const [ofA, ofB] = [edits.get(a), edits.get(b)];
    const edited = ofA !== undefined && ofB !== undefined;
    const delayMs = to.action.at - from.action.at;
    const [one, other] = [places.get(a) as number, places.get(b) as number];
    const isLittle = Math.abs(one - other) - 1 <= maxBetween;
    const lead = edited ? ofB.number - ofA.number : (first.get(b) as number) - (first.get(a) as number);
    return {
      a,
      b,
      aFirst: lead > 0,
      delayMs: Number.isFinite(delayMs) ? Math.max(0, delayMs) : 0,
      edited,
      lead: Math.abs(lead),
      near: [from.action, to.action],
      edits: edited ? [ofA.action, ofB.action] : [],
      between: edited || !isLittle ? [] : files.slice(Math.min(one, other) + 1, Math.max(one, other)),
    };
  });
}

/**
 * Where each two files were nearest. The nearest are looked for first, so that a session of 5,000 actions, which has
 * 30,000 such pairs, is done as soon as there are enough.
 */
function findNearest(
  touches: readonly Touch[],
  numbers: readonly number[],
  edits: ReadonlyMap<string, unknown>,
): { from: Touch; to: Touch }[] {
  const changed = new Map<number, { from: Touch; to: Touch }>();
  const others = new Map<number, { from: Touch; to: Touch }>();
  const isChanged = touches.map(({ file }) => edits.has(file));
  for (let gap = 1; gap <= maxGap && changed.size < maxPairs; gap++) {
    for (let index = gap; index < touches.length; index++) {
      const [from, to] = [touches[index - gap] as Touch, touches[index] as Touch];
      const [one, other] = [numbers[index - gap] as number, numbers[index] as number];
      const pairs = isChanged[index - gap] && isChanged[index] ? changed : others;
      if (one === other || pairs.size >= maxPairs) continue;
      if (to.place - from.place > nearActions && to.action.at - from.action.at > nearMs) continue;
      const key = one < other ? one * touches.length + other : other * touches.length + one;
      if (!pairs.has(key)) pairs.set(key, { from, to });
    }
  }
  return [...changed.values(), ...others.values()].slice(0, maxPairs);
}
