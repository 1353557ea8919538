import type { TacitMemory } from "../../src/index.js";
import { subscriberOrder } from "../../src/memory/change/changes.js";
import type { Stage } from "./change-stage.js";

/** All that follows a change of a memory: what is written with the row, and every subscriber. */
export const effects = ["history", "words", "concepts", ...subscriberOrder] as const;

export type Effect = (typeof effects)[number];

/**
 * `noted`: a model would be asked, if there were anything to compare it with. `counted`: the files are written anew, and the text stands in none. `untouched`: as it was before. `gone`: nothing is left of
 * it, or nobody finds it.
 */
export type Outcome = "reached" | "noted" | "counted" | "untouched" | "gone";

/** One way in which a function of the public object changes memories. */
export interface WritingVerb {
  /** As a program writes it. */
  name: string;
  /** Which of its ways, where there are several. */
  of?: string;
  /** A new text or another one, other fields of the same text, or nothing any more. */
  does: "states" | "changes" | "removes";
  /** Prepares what the verb needs, and gives the id of the memory that it is about, where it does not make one. */
  given?: (memory: TacitMemory, stage: Stage) => Promise<string | undefined | void>;
  /** Performs it, and gives the id of the memory that it is about, where that is another one. */
  act: (memory: TacitMemory, stage: Stage, given: string) => Promise<string | undefined | void>;
  /** True where the memory that it is about is new. */
  makes?: true;
  /** What the memory says then, or a part of it. Default: the new text of the stage. */
  text?: string;
  now?: () => Date;
  /** What becomes of those whom it reaches in another way than its kind does, and why. */
  but?: Partial<Record<Effect, [outcome: Outcome, why: string]>>;
}

export interface Expected {
  outcome: Outcome;
  why?: string;
}

const usual: Record<WritingVerb["does"], Partial<Record<Effect, Outcome>>> = {
  states: Object.fromEntries(effects.map((effect) => [effect, "reached"])),
  changes: { history: "reached", "memory-file": "reached", share: "reached" },
  removes: {
    ...Object.fromEntries(effects.map((effect) => [effect, "gone"])),
    "memory-file": "counted",
    share: "reached",
  },
};

export function expectedOf({ does, makes, but = {} }: WritingVerb, effect: Effect): Expected {
  const special = but[effect];
  if (special) return { outcome: special[0], why: special[1] };
  if (effect === "counters" && makes) return { outcome: "untouched", why: "a new memory has no uses" };
  return { outcome: usual[does][effect] ?? "untouched" };
}

/** `memory.supersede reaches links`. */
export function describeVerb(verb: WritingVerb, effect: Effect): string {
  const { outcome, why } = expectedOf(verb, effect);
  const what = {
    reached: `reaches ${effect}`,
    noted: `is noted for ${effect}`,
    counted: `is counted for the ${effect}`,
    untouched: `leaves ${effect} as they are`,
    gone: `takes it from ${effect}`,
  }[outcome];
  return `${titleOf(verb)} ${what}${why === undefined ? "" : `: ${why}`}`;
}

export function titleOf({ name, of }: WritingVerb): string {
  return of === undefined ? name : `${name} (${of})`;
}
