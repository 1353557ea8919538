import type { Note } from "../../src/observer/observer.js";
import type {
  Action,
  Attempt,
  OrderedNote,
  Scratchpad,
  SpokenSaying,
} from "../../src/observer/scratchpad/session-view.js";
import { moduleOf } from "../../src/observer/scratchpad/module-of.js";
import type { SignalContext, Draft, History, PastSighting, Signal } from "../../src/observer/signals/signal.js";

/** What a test tells of a session; the rest is filled in. */
export interface Told {
  agentId?: string;
  actions?: Partial<Action>[];
  sayings?: Partial<SpokenSaying>[];
  attempts?: Partial<Attempt>[];
  notes?: (Note & { order?: number; step?: number })[];
  cited?: readonly { shortId: string; order: number }[];
}

const beginning = Date.parse("2026-11-02T09:00:00Z");

/** One agent's session as signals see it. Actions are a second apart, one a step, in the order given. */
export function padOf({
  agentId,
  actions = [],
  sayings = [],
  attempts = [],
  notes = [],
  cited = [],
}: Told): Scratchpad {
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
    cited: cited.map((one) => ({ ...one, at: beginning + one.order * 1000, step: one.order })),
    injected: ordered("injected"),
    compacted: ordered("compacted"),
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
export function aroundOf(pad: Scratchpad, others: Scratchpad[] = []): SignalContext {
  return { pads: [pad, ...others], type: "build", root: "/project" };
}

/**
 * What a signal makes of sessions that come one after the other, as promotion would ask it: after each session, of the
 * subjects that it showed and that nothing was made of yet, with what was known by then.
 */
export function learn(signal: Signal, sessions: readonly Told[]): Draft[] {
  const drafts = new Map<string, Draft>();
  const seen = new Map<string, PastSighting[]>();
  const files = new Map<string, number>();
  const modules = new Map<string, number>();
  const increase = (counts: Map<string, number>, keys: Set<string>) => {
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  };
  for (const [index, told] of sessions.entries()) {
    const pad = padOf(told);
    const touched = pad.actions.filter(({ does }) => does === "read" || does === "edit");
    const paths = new Set(touched.flatMap((action) => action.files ?? []));
    increase(files, paths);
    increase(modules, new Set([...paths].map(moduleOf)));
    const history: History = {
      sessions: index + 1,
      sessionsOfFile: (path) => files.get(path) ?? 0,
      sessionsOfModule: (module) => modules.get(module) ?? 0,
    };
    for (const { subject, data, evidence } of signal.detect(pad, aroundOf(pad))) {
      const at = new Date(beginning + index * 86_400_000).toISOString();
      const all = [...(seen.get(subject) ?? []), { sessionId: `session-${index}`, at, data, evidence }];
      seen.set(subject, all);
      const draft =
        all.length < signal.sessions || drafts.has(subject) ? undefined : signal.compose(subject, all, history);
      if (draft) drafts.set(subject, draft);
    }
  }
  return [...drafts.values()];
}
