import { cleanId } from "../../observer/spool/spool.js";
import type { AgentEvent } from "../../observer/observer.js";
import type {
  AgentEventKind,
  DriveKind,
  Effect,
  RestingState,
  SessionDrive,
  SessionInput,
  SessionState,
  Tellings,
} from "./session-state.js";

export interface Step {
  state: SessionState;
  effects: readonly Effect[];
}

// As long as an agent that reads a file may wait for what it is told: a telling that hangs is not to hold up the next.
const turnMs = 100;

/**
 * What follows from one thing that happens to a session, as data: nothing is done here. It is the only place that decides
 * this, for processes that stay and for those of one event.
 *
 * docs/ARCHITECTURE.md has the table of states and inputs. An event has the same consequences in every state: `start` catches
 * up with other sessions; `compacted` of the main agent with a transcript imports it; a `unit` that is over goes to its
 * methodology, and one that succeeded promotes a long build that is not being finished. What has no id of a session, and what is
 * no event, has none.
 *
 * @example advance({ name: "noting" }, { kind: "end", sessionId: "s1" })
 * // { state: { name: "finishing", … }, effects: [{ do: "note" }, { do: "learn" }] }
 */
export function advance(state: SessionState, input: SessionInput): Step {
  if (cleanId(input.sessionId) === undefined) return { state, effects: [] };
  if (isDriven(input)) return drives[input.kind](state, agentOf(input));
  // Events may be anything.
  return Object.hasOwn(consequences, input.kind) ? take(state, input) : { state, effects: [] };
}

/** What those do who drive a session, by what they do. */
const drives: Record<DriveKind, (state: SessionState, agent: string) => Step> = {
  tell,
  told,
  finish,
  closed: (state) => ({
    state: state.name === "finishing" ? { ...state, isBegun: false, isClosed: true } : state,
    effects: [],
  }),
  learned: (state) => settle(state, "learned"),
  failed: (state) => settle(state, "failed"),
  promote: (state) => ({
    state,
    // What is being finished is looked at as a whole.
    effects: state.name === "finishing" ? [] : [{ do: "promote", ifLong: false }],
  }),
};

function isDriven(input: SessionInput): input is SessionDrive {
  return Object.hasOwn(drives, input.kind);
}

function take(state: SessionState, event: AgentEvent): Step {
  const isMain = cleanId(event.agentId) === undefined;
  // A sub-agent that starts says nothing of how the session began.
  const isBegun = hasNotes(state) || (event.kind === "start" && isMain);
  const effects: Effect[] = isBegun ? [{ do: "note" }] : [{ do: "begin" }, { do: "note" }];
  effects.push(...consequencesOf(event, state));
  const noted = withNotes(state);
  if (event.kind !== "end" || !isMain) return { state: noted, effects };
  const ended = end(noted);
  return { state: ended.state, effects: [...effects, ...ended.effects] };
}

type Consequence<K extends AgentEventKind> = (
  event: Extract<AgentEvent, { kind: K }>,
  state: SessionState,
) => readonly Effect[];

const none = () => [];

/** What follows from each kind of event beside its note. */
const consequences: { [K in AgentEventKind]: Consequence<K> } = {
  // A session whose agent was killed never says that it is over; the next one to begin sees to it.
  start: () => [{ do: "catch-up" }],
  prompt: none,
  call: none,
  result: none,
  reasoning: none,
  step: none,
  unit: ({ state: came }, state) => {
    if (came !== "succeeded" && came !== "failed") return [];
    const mayPromote = came === "succeeded" && state.name !== "finishing";
    return [{ do: "complete-unit" }, ...(mayPromote ? [{ do: "promote", ifLong: true } as const] : [])];
  },
  subagent: none,
  qa: none,
  commit: none,
  remember: none,
  injected: none,
  // Before its agent forgets what was said.
  compacted: ({ transcript, agentId }) =>
    typeof transcript === "string" && transcript !== "" && cleanId(agentId) === undefined
      ? [{ do: "import-transcript", transcript }]
      : [],
  end: none,
};

function consequencesOf(event: AgentEvent, state: SessionState): readonly Effect[] {
  return (consequences[event.kind] as Consequence<AgentEventKind>)(event, state);
}

function tell(state: SessionState, agent: string): Step {
  const before = tellingsOf(state);
  const count = before.get(agent) ?? 0;
  const tellings = new Map(before).set(agent, count + 1);
  const effects: Effect[] = count > 0 ? [{ do: "wait", maxMs: turnMs }, { do: "choose" }] : [{ do: "choose" }];
  if (state.name === "finishing" || state.name === "telling") return { state: { ...state, tellings }, effects };
  return { state: { name: "telling", under: state.name, tellings }, effects };
}

function told(state: SessionState, agent: string): Step {
  const before = tellingsOf(state);
  const count = before.get(agent) ?? 0;
  const tellings = new Map(before);
  if (count > 1) tellings.set(agent, count - 1);
  else tellings.delete(agent);
  if (state.name === "finishing") return { state: { ...state, tellings }, effects: [] };
  return { state: state.name === "telling" ? resting(state.under, tellings) : state, effects: [] };
}

function finish(state: SessionState): Step {
  if (state.name !== "finishing") return learn(state);
  // What is being learned from is all that there is, unless the session has gone on since.
  if (!state.isClosed || !state.isBegun) return { state, effects: [{ do: "join" }] };
  return { state: { ...state, isAgain: true }, effects: [{ do: "learn-next" }] };
}

/** The main agent says that it is over. */
function end(state: SessionState): Step {
  if (state.name !== "finishing") return learn(state);
  return { state: state.isClosed ? { ...state, isAgain: true } : state, effects: [] };
}

function learn(state: SessionState): Step {
  const part = { isBegun: hasNotes(state), isClosed: false, isAgain: false };
  return { state: { name: "finishing", ...part, tellings: tellingsOf(state) }, effects: [{ do: "learn" }] };
}

function settle(state: SessionState, outcome: "learned" | "failed"): Step {
  if (state.name !== "finishing") {
    // Somebody who looked after all sessions learned from this one.
    return { state: outcome === "learned" ? resting("finished", tellingsOf(state)) : state, effects: [] };
  }
  const { isBegun, isClosed, isAgain, tellings } = state;
  if (isAgain) return learn(state);
  const hasLeft = isBegun || (isClosed && outcome === "failed");
  const rest = outcome === "failed" ? "open" : "finished";
  return { state: resting(hasLeft ? "noting" : rest, tellings), effects: [] };
}

function resting(under: RestingState, tellings: Tellings): SessionState {
  return tellings.size > 0 ? { name: "telling", under, tellings } : { name: under };
}

/** Whether the part that would be written to now has begun. */
function hasNotes(state: SessionState): boolean {
  if (state.name === "finishing") return state.isBegun;
  return (state.name === "telling" ? state.under : state.name) === "noting";
}

function withNotes(state: SessionState): SessionState {
  if (state.name === "finishing") return { ...state, isBegun: true };
  return resting("noting", tellingsOf(state));
}

const noTellings: Tellings = new Map();

function tellingsOf(state: SessionState): Tellings {
  return state.name === "telling" || state.name === "finishing" ? state.tellings : noTellings;
}

function agentOf({ agentId }: { agentId?: string | undefined }): string {
  return cleanId(agentId) ?? "";
}
