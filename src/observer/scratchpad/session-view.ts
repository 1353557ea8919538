import type { Call, Note, Result, Saying } from "../observer.js";

/** A call with its result. `order` counts everything of the session, so that a later thing has a greater one. */
export interface Action extends Call, Partial<Result> {
  order: number;
  at: number;
  endedAt?: number;
  /** Which step of the agent; from 0. */
  step: number;
}

export interface SpokenSaying extends Saying {
  order: number;
  at: number;
  step: number;
}

/** A memory that the agent named. */
export interface Mention {
  shortId: string;
  order: number;
  at: number;
  step: number;
}

export type OrderedNote<K extends Note["kind"]> = Extract<Note, { kind: K }> & { order: number; step: number };

/** A way that was tried: edits, and what came of them. Made of what the agent did; what it said helps. */
export interface Attempt {
  /** Orders of its first edit and of the moment that decided over it. */
  first: number;
  last: number;
  files: string[];
  /** `abandoned`: it failed, was taken back or given up, and something else was done instead. */
  fate: "held" | "abandoned" | "open";
  /** What speaks for it being abandoned: reverted edits, returning errors, what was said. */
  because: ("reverted" | "error" | "said")[];
  /** The last error that came of it. */
  error?: Action["error"];
  sayings: SpokenSaying[];
  /** What was done instead, for an abandoned one: the files of the attempt that held, and the order of the check it passed. */
  instead?: { files: string[]; sayings: SpokenSaying[]; order: number };
}

/** Everything that one agent did in a session, as signals look at it. Bounded; the least valuable goes first. */
export interface Scratchpad {
  /** Undefined: the main agent. */
  readonly agentId: string | undefined;
  readonly start: OrderedNote<"start"> | undefined;
  readonly end: OrderedNote<"end"> | undefined;
  readonly prompts: readonly OrderedNote<"prompt">[];
  readonly actions: readonly Action[];
  readonly sayings: readonly SpokenSaying[];
  readonly steps: readonly OrderedNote<"step">[];
  readonly units: readonly OrderedNote<"unit">[];
  readonly qa: readonly OrderedNote<"qa">[];
  readonly commits: readonly OrderedNote<"commit">[];
  readonly remembered: readonly OrderedNote<"remember">[];
  /** Memories that it named itself. */
  readonly cited: readonly Mention[];
  /** What it was told without asking. */
  readonly injected: readonly OrderedNote<"injected">[];
  /** When what it had in mind was summed up. */
  readonly compacted: readonly OrderedNote<"compacted">[];
  readonly subagents: readonly OrderedNote<"subagent">[];
  /** Counted as events come, at no cost that grows with their number. */
  readonly analytics: Analytics;
  /** The attempts, oldest first. Worked out when asked for. */
  attempts(): readonly Attempt[];
}

export interface Analytics {
  events: number;
  toolCalls: number;
  /** Estimated bytes held. */
  bytes: number;
  evicted: number;
  currentStep: number;
  inputTokens: number;
  outputTokens: number;
  corrections: number;
  fileAccesses: Map<string, number>;
  filesEdited: Set<string>;
  configTouched: Set<string>;
  searches: Map<string, number>;
  errors: Map<string, number>;
  /** The last eight deeds. */
  recent: string[];
}
