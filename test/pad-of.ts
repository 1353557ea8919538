import type { Note } from "../src/observer/notes/note.js";
import type { Action, Attempt, OrderedNote, Scratchpad, SpokenSaying } from "../src/observer/scratchpad/session-view.js";
import type { Around } from "../src/observer/signals/signal.js";

/** What a test tells of a session; the rest is filled in. */
export interface Told {
  agentId?: string;
  actions?: Partial<Action>[];
  sayings?: Partial<SpokenSaying>[];
  attempts?: Partial<Attempt>[];
  notes?: (Note & { order?: number; step?: number })[];
}

const beginning = Date.parse("2026-11-02T09:00:00Z");

/** One agent's session as signals see it. Actions are a second apart, one a step, in the order given. */
export function padOf({ agentId, actions = [], sayings = [], attempts = [], notes = [] }: Told): Scratchpad {
  const acted = actions.map((action, index): Action => ({
    order: index,
    at: beginning + index * 1000,
    endedAt: beginning + index * 1000 + 500,
    step: index,
    tool: "Tool",
    does: "other",
    ...action,
  }));
  const ordered = <K extends Note["kind"]>(kind: K): OrderedNote<K>[] =>
    notes
      .filter((note): note is Extract<Note, { kind: K }> & { order?: number; step?: number } => note.kind === kind)
      .map((note, index) => Object.assign({ order: 1000 + index, step: 0 }, note) as OrderedNote<K>);
  const errors = new Map<string, number>();
  for (const { error } of acted) if (error) errors.set(error.fingerprint, (errors.get(error.fingerprint) ?? 0) + 1);
  return {
    agentId,
    start: ordered("start")[0],
    end: ordered("end")[0],
    prompts: ordered("prompt"),
    actions: acted,
    sayings: sayings.map((saying, index): SpokenSaying => ({
      order: index,
      at: beginning + index * 1000,
      step: index,
      is: "plan",
      text: "",
      ...saying,
    })),
    steps: ordered("step"),
    units: ordered("unit"),
    qa: ordered("qa"),
    commits: ordered("commit"),
    remembered: ordered("remember"),
    subagents: ordered("subagent"),
    analytics: {
      events: acted.length,
      toolCalls: acted.length,
      bytes: 0,
      evicted: 0,
      currentStep: acted.length,
      inputTokens: 0,
      outputTokens: 0,
      corrections: 0,
      fileAccesses: new Map(),
      filesEdited: new Set(),
      configTouched: new Set(),
      searches: new Map(),
      errors,
      recent: [],
    },
    attempts: () =>
      attempts.map((attempt): Attempt => ({
        first: 0,
        last: acted.length,
        files: [],
        fate: "abandoned",
        because: ["reverted"],
        sayings: [],
        ...attempt,
      })),
  };
}

/** A build with this one agent, in /project. */
export function aroundOf(pad: Scratchpad, others: Scratchpad[] = []): Around {
  return { pads: [pad, ...others], type: "build", root: "/project" };
}
