/**
 * observer: watches what agents do and turns it into what is worth knowing. It refuses to talk to agents: what is injected,
 * and when, is decided elsewhere.
 *
 * Adapters and transcripts give events, of which notes keep what a signal can use. A scratchpad joins one agent's notes as
 * they come; the spool holds them on disk, and `watch` reads them in either place. While a session goes on nothing is
 * written to the database. When it is over, signals look at its scratchpads, trust tells what rests on untrusted sources,
 * and promotion makes memories of what enough sessions showed. Synthesis looks at many sessions together, and review is
 * where a person decides.
 */
import type { Json } from "../base/base.js";
import type { SessionType } from "../config/config.js";
import type { WorkUnit } from "../memory/memory.js";
import type { Call, Command, Deed, EditMarks, ErrorSeen, Result, UntrustedSource } from "./call.js";

export type { SessionType };
export type { Call, Command, Deed, EditMarks, ErrorSeen, Result, UntrustedSource };

/** How a session ended. `unknown` is what an agent says that says nothing; what it did last decides then. */
export type Outcome = "success" | "failure" | "abandoned" | "unknown";

/** What every event carries. */
export interface Happening {
  /** The agent's own id of the session. */
  sessionId: string;
  /** Milliseconds since 1970; absent: now. */
  at?: number;
  /** Which of several agents in the session; absent: the main one. */
  agentId?: string;
}

/**
 * One thing that an agent did or said. Adapters make these of what each agent tells; a program may make its own. What an
 * event does not know it leaves out.
 */
export type AgentEvent = Happening &
  (
    | {
        kind: "start";
        /** `claude-code`, `opencode`, `ai-sdk`, or what the program calls itself. */
        agent?: string;
        type?: SessionType;
        /** Where the agent works. */
        directory?: string;
        /** What it is to do. */
        task?: string;
        plannedSteps?: number;
        /** How many subtasks the build has. */
        subtasks?: number;
        methodology?: string;
        /** The file in which the agent itself keeps what is said, by its absolute path. */
        transcript?: string;
      }
    | { kind: "prompt"; text: string }
    | {
        kind: "call";
        /** Joins it to its result. */
        callId: string;
        tool: string;
        input: Record<string, unknown>;
        /** Where the agent knows better than the tool's name tells. */
        does?: Deed;
        /** Set by an adapter that knows the tool to be one of Tacit's own. */
        own?: true;
        /** Where the agent stands when it calls, which is where relative paths begin; absent: where it works. */
        directory?: string;
      }
    | {
        kind: "result";
        callId: string;
        text: string;
        isError?: boolean;
        tool?: string;
        /** As with the call. */
        own?: true;
        /** What the tool was called with, where the agent tells it again: a process that did not see the call needs it. */
        input?: Record<string, unknown>;
        durationMs?: number;
        /** Where the agent stands after it. */
        directory?: string;
      }
    | {
        kind: "reasoning";
        text: string;
        /** What the agent thought and told nobody. */
        thought?: boolean;
      }
    | { kind: "step"; inputTokens?: number; outputTokens?: number }
    | {
        kind: "unit";
        unit: WorkUnit;
        state: "started" | "succeeded" | "failed";
        plannedSteps?: number;
        summary?: string;
      }
    | { kind: "subagent"; state: "started" | "ended"; childId: string; task?: string }
    | { kind: "qa"; passed: boolean; issues?: QaIssue[] }
    | { kind: "commit"; sha: string; message: string; files?: string[] }
    | { kind: "remember"; content: string; memoryType?: string }
    | {
        /** The agent was told something that it had not asked for. Why, and which files, is not noted: only the moment. */
        kind: "injected";
        point: InjectionPoint;
        /** What led to it, between two steps. */
        trigger?: string;
        memories: InjectedMemory[];
        /** Files whose names or texts came with it. */
        files?: string[];
        /** What all of it took, about. */
        tokens: number;
      }
    /** What the agent had in mind was summed up: what it was told before may be gone. */
    | { kind: "compacted"; transcript?: string }
    | { kind: "end"; outcome?: Outcome; reason?: string; transcript?: string }
  );

/** When an agent is told something. */
export type InjectionPoint = "session-start" | "prompt" | "file-read" | "step" | "planner" | "qa" | "relay" | "asked";

export const injectionPoints: readonly InjectionPoint[] = [
  "session-start",
  "prompt",
  "file-read",
  "step",
  "planner",
  "qa",
  "relay",
  "asked",
];

/** A memory that an agent was told. */
export interface InjectedMemory {
  id: string;
  /** One sentence for a person: why it, and why then. */
  why: string;
  tokens: number;
}

/** One thing that a quality check found wrong. */
export interface QaIssue {
  title: string;
  description?: string;
  file?: string;
  fix?: string;
}

/**
 * What is kept of an event: everything that a signal can use, and nothing else. No file's text, no command's output; of
 * these only names, counts, marks (hashes) and, where they look like one, a line of an error. This is what the spool
 * holds, one in a line.
 */
export type Note = NoteBase &
  (
    | {
        kind: "start";
        agent?: string;
        type?: SessionType;
        root: string;
        /** Git's head when the session began: what was tracked then. */
        commit?: string;
        /** The branch that it began on. */
        branch?: string;
        task?: string;
        plannedSteps?: number;
        subtasks?: number;
        methodology?: string;
        /** The file in which the agent itself keeps what is said. */
        transcript?: string;
      }
    | { kind: "prompt"; text: string }
    | ({
        kind: "call";
        call: string;
        /** Told together with its result, by a process that may not have seen it begin. */
        late?: true;
      } & Call)
    | ({ kind: "result"; call: string } & Result)
    | {
        kind: "said";
        sayings: Saying[];
        /** Memories that it names, by their short ids. */
        cites?: string[];
      }
    | { kind: "step"; inputTokens?: number; outputTokens?: number }
    | {
        kind: "unit";
        unit: WorkUnit;
        state: "started" | "succeeded" | "failed";
        plannedSteps?: number;
        summary?: string;
      }
    | { kind: "subagent"; state: "started" | "ended"; child: string; task?: string }
    | { kind: "qa"; passed: boolean; issues: QaIssue[] }
    | {
        kind: "commit";
        sha: string;
        message: string;
        files: string[];
        /** Found out when the session is over: the agent did not give the message. Never on disk. */
        outside?: UntrustedSource;
      }
    | { kind: "remember"; mark: string; memoryType?: string }
    | {
        kind: "injected";
        point: InjectionPoint;
        trigger?: string;
        /** Nothing of their text, nor why it was them: a note stays when a memory is purged. */
        memories: { id: string; tokens: number }[];
        /** How many came with it. */
        files?: number;
        tokens: number;
      }
    | { kind: "compacted"; transcript?: string }
    | {
        kind: "end";
        outcome: Outcome;
        reason?: string;
        /** The branch that it ended on. */
        branch?: string;
        transcript?: string;
      }
  );

interface NoteBase {
  /** Milliseconds since 1970. */
  at: number;
}

/** A sentence of the agent that says something about its work. */
export interface Saying {
  is: "correction" | "abandonment" | "plan" | "cause";
  /** At most 300 characters. */
  text: string;
  /** Of a correction: what was believed, and what is so, where the sentence tells them apart. */
  believed?: string;
  actual?: string;
}

/** A note's evidence in the form that people see: `{ at, did: "edited src/a.ts" }`. */
export interface EvidenceItem {
  at: string;
  did: string;
  said?: string;
  data?: Json;
}

/** The ways in which behaviour tells something worth knowing: seventeen signals and what else makes memories. */
export type SignalName =
  | "co-access"
  | "self-correction"
  | "error-retry"
  | "parallel-conflict"
  | "read-abandon"
  | "repeated-search"
  | "test-order"
  | "tool-sequence"
  | "file-access"
  | "step-overrun"
  | "backtrack"
  | "config-touch"
  | "glob-ignore"
  | "token-spike"
  | "external-reference"
  | "import-chase"
  | "time-anomaly"
  // Not among the seventeen: what else makes memories of a session.
  | "dead-end"
  | "qa"
  | "commit"
  | "work-unit"
  | "work-state"
  | "e2e"
  // Of many sessions together.
  | "synthesis";
