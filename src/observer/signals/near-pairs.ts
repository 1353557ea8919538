import type { Action } from "../scratchpad/session-view.js";
import type { Touch } from "./touched-files.js";

/** Two files that one session had near each other, the smaller path first. */
export interface Pair {
  a: string;
  b: string;
  /** Whether the session came to `a` before it came to `b`. */
  aFirst: boolean;
  /** How long it took from one to the other when they were nearest. */
  delayMs: number;
  /** Whether it changed both. */
  edited: boolean;
}

/** A pair, and what it rests on. */
export interface NearPair extends Pair {
  /** How many files were touched from one to the other when the session first came to each of them. */
  lead: number;
  near: [Action, Action];
  edits: Action[];
}

// What is farther apart is a different thought. Of a quick session, 5 minutes are too many files to tell anything.
const nearActions = 10;
const nearMs = 5 * 60_000;
const mostGap = 12;
const mostPairs = 300;

/** The pairs of files that a session had near each other: changed ones first, then the nearest; at most 300. */
export function findPairs(touches: readonly Touch[]): NearPair[] {
  /** Where the session first came to each file, which also stands for the file. */
  const first = new Map<string, number>();
  const edits = new Map<string, Action>();
  const numbers = touches.map(({ file, isEdit, action }, index) => {
    const number = first.get(file) ?? index;
    first.set(file, number);
    if (isEdit) edits.set(file, action);
    return number;
  });
  return findNearest(touches, numbers, edits).map(({ from, to }) => {
    const [a, b] = from.file < to.file ? [from.file, to.file] : [to.file, from.file];
    const lead = (first.get(b) as number) - (first.get(a) as number);
    const changed = [edits.get(a), edits.get(b)].filter((edit) => edit !== undefined);
    return {
      a,
      b,
      aFirst: lead > 0,
      delayMs: Math.max(0, to.action.at - from.action.at) || 0,
      edited: changed.length === 2,
      lead: Math.abs(lead),
      near: [from.action, to.action],
      edits: changed.length === 2 ? changed : [],
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
  edits: ReadonlyMap<string, Action>,
): { from: Touch; to: Touch }[] {
  const changed = new Map<number, { from: Touch; to: Touch }>();
  const others = new Map<number, { from: Touch; to: Touch }>();
  const isChanged = touches.map(({ file }) => edits.has(file));
  for (let gap = 1; gap <= mostGap && changed.size < mostPairs; gap++) {
    for (let index = gap; index < touches.length; index++) {
      const [from, to] = [touches[index - gap] as Touch, touches[index] as Touch];
      const [one, other] = [numbers[index - gap] as number, numbers[index] as number];
      const pairs = isChanged[index - gap] && isChanged[index] ? changed : others;
      if (one === other || pairs.size >= mostPairs) continue;
      if (to.place - from.place > nearActions && to.action.at - from.action.at > nearMs) continue;
      const key = one < other ? one * touches.length + other : other * touches.length + one;
      if (!pairs.has(key)) pairs.set(key, { from, to });
    }
  }
  return [...changed.values(), ...others.values()].slice(0, mostPairs);
}
