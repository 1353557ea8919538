import type { Note } from "../observer.js";
import { bytesOf } from "./bytes-of.js";
import type { Action, Analytics, Mention, OrderedNote, SpokenSaying } from "./session-view.js";

/** What a scratchpad holds that may be many. */
export interface Held {
  prompts: OrderedNote<"prompt">[];
  actions: Action[];
  sayings: SpokenSaying[];
  steps: OrderedNote<"step">[];
  units: OrderedNote<"unit">[];
  qa: OrderedNote<"qa">[];
  commits: OrderedNote<"commit">[];
  remembered: OrderedNote<"remember">[];
  cited: Mention[];
  injected: OrderedNote<"injected">[];
  compacted: OrderedNote<"compacted">[];
  subagents: OrderedNote<"subagent">[];
}

/** Where something stands in a session. `order` counts everything, so that a later thing has a greater one. */
interface Moment {
  order: number;
  at: number;
  step: number;
}

/** The lists of a scratchpad, each thing with its moment, and the bytes of all of them counted. */
export interface HeldNotes {
  readonly held: Held;
  /** The next moment. */
  next: (at: number) => Moment;
  /** The note itself, with the next moment. */
  ordered: <K extends Note["kind"]>(note: Extract<Note, { kind: K }>) => OrderedNote<K>;
  add: <T extends object>(list: T[], item: T) => void;
}

export function openHeldNotes(analytics: Analytics): HeldNotes {
  const held: Held = {
    prompts: [],
    actions: [],
    sayings: [],
    steps: [],
    units: [],
    qa: [],
    commits: [],
    remembered: [],
    cited: [],
    injected: [],
    compacted: [],
    subagents: [],
  };
  let order = 0;
  const next = (at: number): Moment => ({ order: order++, at, step: analytics.currentStep });
  return {
    held,
    next,
    ordered: (note) => Object.assign(note, next(note.at)),
    add: (list, item) => {
      list.push(item);
      analytics.bytes += bytesOf(item);
    },
  };
}
