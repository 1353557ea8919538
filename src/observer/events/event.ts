import type { SessionType } from "../../config/config.js";
import type { WorkUnit } from "../../memory/memory.js";

export { sessionTypes } from "../../config/config.js";
export type { SessionType };

/** How a session ended. `unknown` is what an agent says that says nothing; what it did last decides then. */
export type Outcome = "success" | "failure" | "abandoned" | "unknown";

/** What a tool does, whatever its agent calls it. */
export type Deed = "read" | "edit" | "search" | "run" | "fetch" | "other";

/** What every event carries. */
interface Happening {
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
        /** Where the agent stands when it calls, which is where relative paths begin; absent: where it works. */
        directory?: string;
      }
    | {
        kind: "result";
        callId: string;
        text: string;
        isError?: boolean;
        tool?: string;
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
