import type { Action, Scratchpad } from "../scratchpad/session-view.js";
import { listTouches, type Touch } from "./touched-files.js";

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
  /** How many files were touched from one to the other. */
  gap: number;
  near: [Action, Action];
  edits: Action[];
}

// What is farther apart is a different thought. Of a quick session, 5 minutes are too many files to tell anything.
const nearActions = 10;
const nearMs = 5 * 60_000;
const mostBetween = 30;
const mostPairs = 300;

/** The pairs of files that a session had near each other: changed ones first, then the nearest; at most 300. */
export function findPairs(pad: Scratchpad): NearPair[] {
  const touches = listTouches(pad);
  const first = new Map<string, number>();
  const edits = new Map<string, Action>();
  const numbers = touches.map(({ file, isEdit, action }) => {
    const number = first.get(file) ?? first.size;
    first.set(file, number);
    if (isEdit) edits.set(file, action);
    return number;
  });
  const nearest = new Map<number, { from: Touch; to: Touch; gap: number }>();
  for (const [index, to] of touches.entries()) {
    const own = numbers[index] as number;
    for (let gap = 1; gap <= Math.min(index, mostBetween); gap++) {
      const from = touches[index - gap] as Touch;
      const other = numbers[index - gap] as number;
      if (to.place - from.place > nearActions && to.action.at - from.action.at > nearMs) break;
      if (other === own) continue;
      const key = Math.min(own, other) * first.size + Math.max(own, other);
      const known = nearest.get(key);
      if (!known || known.gap > gap) nearest.set(key, { from, to, gap });
    }
  }
  return [...nearest.values()]
    .map(({ from, to, gap }): NearPair & { isEdited: number } => {
      const [a, b] = from.file < to.file ? [from.file, to.file] : [to.file, from.file];
      const changed = [edits.get(a), edits.get(b)].filter((edit) => edit !== undefined);
      const edited = changed.length === 2;
      return {
        a,
        b,
        aFirst: (first.get(a) as number) < (first.get(b) as number),
        delayMs: Math.max(0, to.action.at - from.action.at) || 0,
        edited,
        gap,
        near: [from.action, to.action],
        edits: edited ? changed : [],
        isEdited: edited ? 0 : 1,
      };
    })
    .toSorted((x, y) => x.isEdited - y.isEdited || x.gap - y.gap || x.near[1].order - y.near[1].order)
    .slice(0, mostPairs);
}

