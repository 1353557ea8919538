import type { WorkUnit } from "../../memory/memory.js";
import type { Action, OrderedNote, Scratchpad } from "./session-view.js";
import { during } from "./during.js";

/** A piece of work that came to its end in the session. */
export interface FinishedUnit {
  unit: WorkUnit;
  /** The same for every note about this piece of work, in every session. */
  key: string;
  /** Undefined where the session never said that it began. */
  started: OrderedNote<"unit"> | undefined;
  finished: OrderedNote<"unit">;
  plannedSteps: number | undefined;
  doneSteps: number;
  actions: Action[];
}

/** The pieces of work that ended in the session, in the order of their ends. One that ended twice is there twice. */
export function listFinishedUnits(pad: Scratchpad): FinishedUnit[] {
  const begun = new Map<string, OrderedNote<"unit">>();
  const units: FinishedUnit[] = [];
  let before = -Infinity;
  for (const note of pad.units) {
    const key = unitKey(note.unit);
    if (note.state === "started") {
      begun.set(key, note);
      continue;
    }
    const started = begun.get(key);
    begun.delete(key);
    // Without a beginning, it has been worked on since the last one ended.
    const first = started?.order ?? before;
    units.push({
      unit: note.unit,
      key,
      started,
      finished: note,
      plannedSteps: started?.plannedSteps ?? note.plannedSteps,
      doneSteps: countSteps(pad, first, note.order),
      actions: during(pad.actions, first, note.order),
    });
    before = note.order;
  }
  return units;
}

/** How many steps an agent took from one order to another. One that tells of no steps takes one with every call. */
export function countSteps(pad: Scratchpad, first: number, last: number): number {
  const steps: readonly { order: number }[] = pad.steps.length > 0 ? pad.steps : pad.actions;
  return during(steps, first, last).length;
}

/** The same for every note about a piece of work, in every session. */
export function unitKey({ methodology, hierarchy, label }: WorkUnit): string {
  return `${methodology}: ${hierarchy.length > 0 ? hierarchy.join(" / ") : label}`;
}
