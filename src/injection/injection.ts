/**
 * injection: what an agent is told now, without having asked: at the start of a session, with a prompt, beside a file that
 * it has just read, between two steps; and what a planner, a reviewer or the next role of a build gets to know.
 *
 * It chooses, bounds and quotes. It refuses to know how each agent is told (the surfaces), to rank by itself what a
 * question finds (retrieval), and to tell anything that came from outside, waits for a person or was replaced.
 */
import type { CountTokens } from "../base/tokens/tokens.js";
import type { Memory, Phase } from "../memory/memory.js";
import type { ProjectContext } from "../project/project.js";
import type { InjectedMemory, InjectionPoint } from "../observer/observer.js";
import type { RecallPorts } from "../retrieval/candidates/search.js";

export type { InjectedMemory, InjectionPoint };

/** `passive` tells at the start and with prompts, `full` also while the agent works. */
export type InjectionMode = "none" | "passive" | "full";

export const injectionModes: readonly InjectionMode[] = ["none", "passive", "full"];

/** What led to an injection between two steps. */
export type StepTrigger = "warning" | "recorded" | "answered-search";

/** A moment at which an agent may be told something. Paths may be absolute or relative to the project's root. */
export type Moment = {
  /** The agent's own id of the session. Nothing is told twice in one. */
  sessionId: string;
  /** Which of several agents in the session; absent: the main one. */
  agentId?: string;
} & (
  | {
      point: "session-start";
      phase?: Phase;
      /** The files in play, where that is known: their modules' memories come too. */
      files?: readonly string[];
      /** The session goes on: what it was told before may be told again where it was compacted, and work state counts. */
      continues?: "resumed" | "compacted";
      /** Files of rules that the agent reads by itself: what was learned from them is not told once more. */
      reads?: readonly string[];
    }
  | {
      point: "prompt";
      prompt: string;
      phase?: Phase;
      files?: readonly string[];
      /** Whether files that are nearly always read come along. Default `contents`; `names` where there is little room. */
      prefetch?: "contents" | "names" | "none";
      /** As at the start of a session. */
      reads?: readonly string[];
    }
  | { point: "file-read"; files: readonly string[] }
  | {
      point: "step";
      /** From 1: nothing is told before the fifth. Absent: as many as were noted of the session. */
      step?: number;
      /** Files that were just read or edited. */
      touched?: readonly string[];
      /** What was searched for last, the newest at the end. */
      searches?: readonly string[];
    }
);

/** How much is told, where it is not as usual: for levels of trust, and for experiments. */
export interface InjectOptions {
  /** Default `full`; with the setting `autoInject` off, `none`. */
  mode?: InjectionMode;
  /** Leave out what is trusted less now, 0 to 1. Default: the setting `injectionConfidence`. */
  minConfidence?: number;
  /** How many memories at most, the best ones. Default: as many as there is room for. */
  maxMemories?: number;
  /** With a prompt: leave out what scores less as an answer to it, 0 to 1. Default 0. */
  minScore?: number;
  /** Model tokens of the whole text at most, with its files. Where absent, by point, and files have a budget of their own. */
  budgetTokens?: number;
  /** When to give up, in milliseconds; by point where absent. */
  deadlineMs?: number;
}

/** What to tell. */
export interface Injection {
  point: InjectionPoint;
  /** To be put into a user message as it is: quoted data with a line that says so. Empty where there is nothing to tell. */
  text: string;
  /** What the text takes, about. */
  tokens: number;
  memories: InjectedMemory[];
  /** Files whose names or texts came with it, relative to the root. */
  files: string[];
  trigger?: StepTrigger;
  /** For the person, not for the model. */
  notes: string[];
  /** What went wrong, where nothing is told because of that. */
  problem?: string;
  /** True where the deadline was over: what could not be had in time is missing. */
  isLate: boolean;
}

/** An injection that tells nothing. */
export function emptyInjection(point: Injection["point"], notes: string[] = []): Injection {
  return { point, text: "", tokens: 0, memories: [], files: [], notes, isLate: false };
}

/** A memory that is worth telling now. */
export interface Choice {
  memory: Memory;
  /** One sentence for a person: why it, and why now. */
  why: string;
  /** Which come first, and which stay when there is no room for all; any scale, the greater the earlier. */
  worth: number;
}

/** What the session was told so far, and how far it has come. */
export interface InjectedSoFar {
  /** Ids of what it was told and still has in mind. */
  ids: ReadonlySet<string>;
  /** What all of it took, of memories only. */
  tokens: number;
  hasPrefetched: boolean;
  /** How many calls of tools were answered. */
  steps: number;
}

/** What injection asks. */
export interface InjectionPorts {
  /** Over a store that waits no longer than a deadline allows. */
  context: ProjectContext;
  /** What recall may ask; in a hook nothing: words, names and the graph. */
  recall: RecallPorts;
  soFar: (sessionId: string, agentId: string | undefined) => Promise<InjectedSoFar>;
  /**
   * Notes that this is being told, and gives the ids that another process was faster to tell; undefined where it cannot be
   * noted.
   */
  record: (
    moment: Pick<Moment, "sessionId" | "agentId">,
    injection: Injection,
  ) => Promise<ReadonlySet<string> | undefined>;
  /** Counts tokens, or estimates them where loading a counter would take longer than the deadline. */
  countTokens: () => Promise<CountTokens>;
  /** What a person who begins a session should know of the one before it. */
  lastSession: () => Promise<string | undefined>;
  /** What should be known about the code, such as that it is being indexed for the first time. */
  codeNote: () => Promise<string | undefined>;
  /** A map of the code that was drawn before, its heading first; undefined where there is none of all of it. */
  codeMap?: () => Promise<string | undefined>;
}

/** What a point asks of those that choose for it. */
export interface SelectionOptions {
  minConfidence: number;
  minScore?: number;
  soFar: InjectedSoFar;
  deadline: Deadline;
  /** Also what nobody has verified: for whoever asks. */
  includeUnverified?: boolean;
}

/** Until when something has to be answered. */
export interface Deadline {
  /** Milliseconds that are left; 0 where it is over. */
  left: () => number;
}
