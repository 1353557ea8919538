import type { AgentEvent } from "../../observer/observer.js";

/**
 * Where a session stands. Its notes come in parts: a part ends when it is learned from, and what the session does after
 * that begins another one.
 */
export type SessionState =
  /** Nothing is noted yet. */
  | { name: "open" }
  /** The part that is written to holds notes. */
  | { name: "noting" }
  /** An agent of it is being told something. `under` is where the session stands otherwise. */
  | { name: "telling"; under: RestingState; tellings: Tellings }
  /** It is being learned from. */
  | {
      name: "finishing";
      /** The part that is written to holds notes. */
      isBegun: boolean;
      /** What is learned from is settled: notes from now on begin a new part. */
      isClosed: boolean;
      /** The new part is to be learned from, too. */
      isAgain: boolean;
      tellings: Tellings;
    }
  /** All that was noted is learned from. */
  | { name: "finished" };

export type RestingState = "open" | "noting" | "finished";

/** How many tellings of each agent are under way or wait; the main agent's are under "". */
export type Tellings = ReadonlyMap<string, number>;

export type AgentEventKind = AgentEvent["kind"];

/** Whose input it is. An id that an agent made up may be anything. */
interface Whose {
  sessionId: string | undefined;
  agentId?: string | undefined;
}

/** What those do who drive a session. */
export type DriveKind =
  /** Somebody wants to know what to inject. */
  | "tell"
  /** That is done, whatever came of it. */
  | "told"
  /** Somebody wants the session to be learned from. */
  | "finish"
  /** All that was noted until now is on disk, and is going to be learned from. */
  | "closed"
  /** The session was learned from. */
  | "learned"
  /** It could not be, and its notes are where they were. */
  | "failed"
  /** Somebody wants memories of a session that goes on. */
  | "promote";

export interface SessionDrive extends Whose {
  kind: DriveKind;
}

/** What happens to a session: every event of its agents, and what those do who drive it. */
export type SessionInput = AgentEvent | SessionDrive;

/** What is to be done, in this order. Each driver does what it can: a process of one event leaves learning to another. */
export type Effect =
  /** A part begins: what git has now is noted first. */
  | { do: "begin" }
  | { do: "note" }
  /** Sessions of others that are over are learned from. */
  | { do: "catch-up" }
  /** The methodology hears of a piece of work. */
  | { do: "complete-unit" }
  /** Memories are made of what the session showed so far; with `ifLong` of a long build only. */
  | { do: "promote"; ifLong: boolean }
  | { do: "import-transcript"; transcript: string }
  | { do: "learn" }
  /** Whoever asked gets what the learning under way gives. */
  | { do: "join" }
  /** Whoever asked gets what the learning after that gives. */
  | { do: "learn-next" }
  /** The telling before it comes first, but for so long only. */
  | { do: "wait"; maxMs: number }
  | { do: "choose" };

/** Whether an effect of this kind is among them. */
export function isFollowedBy(effects: readonly Effect[], what: Effect["do"]): boolean {
  return effects.some((effect) => effect.do === what);
}
