import type { Json } from "../../base/base.js";
import type { Scope, Source, WorkUnit } from "../../memory/memory.js";
import type { EvidenceItem, Outcome, SessionType, SignalName } from "../observer.js";
import type { Scratchpad } from "../scratchpad/session-view.js";

/**
 * One way in which behaviour tells something worth knowing. It looks at one agent's session at a time; how many sessions
 * must show the same subject is counted for all signals alike.
 */
export interface Signal {
  name: SignalName;
  /** Who words what it leads to: that decides what of it may be trusted after a session has read from outside. */
  wording: Wording;
  /** 0 to 1 each; see `signalValue`. */
  diagnostic: number;
  crossSession: number;
  falsePositives: number;
  /** Types of memory that it leads to. */
  promotesTo: readonly string[];
  /** How many sessions must show it. */
  sessions: number;
  /** What this session shows, for each subject at most once. */
  detect(pad: Scratchpad, around: SignalContext): Sighting[];
  /**
   * The memory that the sightings of one subject add up to, oldest first, at most one a session; undefined where they do
   * not. Only asked when enough sessions have shown it.
   */
  compose(subject: string, sightings: readonly PastSighting[], history: History): Draft | undefined;
}

/**
 * Where the words of a memory come from.
 * - `values`: paths, counts, exit codes and names of tracked code, in sentences of our own.
 * - `command`: lines that the agent typed and that worked, besides values.
 * - `person`: the person's own words.
 * - `git`: a commit's message; of a commit that the session made, its agent's words.
 * - `agent`: sentences that an agent worded. Where they come from cannot be traced.
 */
export type WordedBy = "values" | "command" | "person" | "git" | "agent";

export interface Wording {
  by: WordedBy;
  /** Of values and commands: fields of its data that it can do without where they hold something else. */
  optional?: readonly string[];
  /** Of values and commands: words of our own that its data may hold besides. */
  terms?: readonly string[];
  /** It names what lies outside by nature, so that no merge of the work vouches for it. */
  onlyPersonReleases?: true;
}

/** What a signal may look at besides the agent's own session. */
export interface SignalContext {
  /** All agents of the session, this one included. */
  pads: readonly Scratchpad[];
  type: SessionType;
  /** How the session ended. */
  outcome?: Exclude<Outcome, "unknown"> | "running";
  /** The branch that was checked out. */
  branch?: string;
  /** The folder that files are relative to. */
  root: string;
}

/** What one session shows about one subject. */
export interface Sighting {
  signal: SignalName;
  /** What it is about, in a form that is the same in every session: `src/a.ts + src/b.ts`, an error's fingerprint. */
  subject: string;
  /** Orders of what it rests on, for the trust gate and failed attempts. */
  orders: readonly number[];
  /** What `compose` needs; small. */
  data: Record<string, Json>;
  /** At most ten, for people. */
  evidence: readonly EvidenceItem[];
}

/** A sighting of some session, as it was kept. */
export interface PastSighting {
  sessionId: string;
  at: string;
  data: Record<string, Json>;
  /** Only where it is at hand: what people see is not read to compose. */
  evidence?: readonly EvidenceItem[];
}

/** What is known of the project from all its sessions, this one included. */
export interface History {
  /** How many sessions there were. */
  sessions: number;
  /** In how many sessions a file was read or edited. */
  sessionsOfFile(path: string): number;
  /** In how many sessions a file of the module was read or edited. */
  sessionsOfModule(module: string): number;
}

/** A memory as a signal would have it. */
export interface Draft {
  type: string;
  /** One to three sentences, like a colleague would say it, from the evidence alone. */
  content: string;
  data?: Record<string, Json>;
  relatedFiles: string[];
  relatedModules?: string[];
  tags?: string[];
  /** Added to or taken from what the signal and the sessions give; default 0. */
  confidenceOffset?: number;
  /** Default `observer_inferred`. */
  source?: Source;
  /** The SHA of the commit that it speaks of. */
  commit?: string;
  /** The piece of work that it tells of. */
  workUnit?: WorkUnit;
  /** Default `global`. */
  scope?: Scope;
  /** Why a person has to look at it first, wherever it comes from. */
  pendingReason?: string;
}

/** 0 to 1: how much a signal is worth. Below `leastValue` nothing is made of it. */
export function signalValue({
  diagnostic,
  crossSession,
  falsePositives,
}: Pick<Signal, "diagnostic" | "crossSession" | "falsePositives">): number {
  return Math.round((0.5 * diagnostic + 0.3 * crossSession + 0.2 * (1 - falsePositives)) * 100) / 100;
}

export const leastValue = 0.4;
