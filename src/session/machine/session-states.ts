import { cleanId } from "../../observer/spool/spool.js";
import { advance } from "./advance.js";
import type { Effect, SessionInput, SessionState } from "./session-state.js";

/** Where each session stands that a process has heard of. */
export interface SessionStates {
  /** Takes what happened to a session, and gives what is to be done. */
  advance: (input: SessionInput) => readonly Effect[];
  stateOf: (sessionId: string) => SessionState;
  /** Nothing is noted of it any more. */
  forget: (sessionId: string) => void;
}

// A server of agents may see any number of sessions that never end. One that is dropped notes once more what git has.
const maxSessions = 1000;

/** `first` says where a session stands that was not heard of yet; without it, nothing is noted of it. */
export function openSessionStates(
  first: (sessionId: string) => SessionState = () => ({ name: "open" }),
): SessionStates {
  /** The one that was heard of last comes last. */
  const states = new Map<string, SessionState>();
  const stateOf = (id: string): SessionState => states.get(id) ?? first(id);
  return {
    stateOf: (sessionId) => stateOf(cleanId(sessionId) ?? ""),
    forget: (sessionId) => void states.delete(cleanId(sessionId) ?? ""),
    advance: (input) => {
      // Events may be anything.
      const id = cleanId(input?.sessionId);
      if (id === undefined) return [];
      const { state, effects } = advance(stateOf(id), input);
      states.delete(id);
      states.set(id, state);
      if (states.size > maxSessions) dropOldest(states);
      return effects;
    },
  };
}

/** One about which nobody is doing anything. */
function dropOldest(states: Map<string, SessionState>): void {
  for (const [id, { name }] of states) {
    if (name === "telling" || name === "finishing") continue;
    states.delete(id);
    return;
  }
}
