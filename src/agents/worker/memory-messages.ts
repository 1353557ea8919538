import type { MessagePort } from "node:worker_threads";
import type {
  AgentEvent,
  Deed,
  Injection,
  InjectOptions,
  MemoryInput,
  Moment,
  Outcome,
  RecallOptions,
  RecallReport,
  RememberedMemory,
} from "../../index.js";

/**
 * What a worker tells or asks the memory in the main thread: seven messages of plain data. Whose they are, session and agent,
 * the main thread knows by the worker that they come from; no message says so.
 */
export type MemoryRequest =
  | { type: "memory:search"; requestId: string; query: string; filters?: RecallOptions }
  | { type: "memory:record"; requestId: string; entry: MemoryInput }
  | InStep<{
      type: "memory:tool-call";
      toolName: string;
      args: Record<string, unknown>;
      /** Joins it to its result; where absent, the first open call of the same tool is meant. */
      callId?: string;
      /** Where the agent knows better than the tool's name tells. */
      does?: Deed;
      /** It is one of Tacit's own tools, which the worker was given. */
      own?: true;
      directory?: string;
    }>
  | InStep<{
      type: "memory:tool-result";
      toolName: string;
      result: string;
      isError?: boolean;
      callId?: string;
      /** What the tool was called with, where the call itself was not told. */
      args?: Record<string, unknown>;
      durationMs?: number;
      own?: true;
      directory?: string;
    }>
  | InStep<{ type: "memory:reasoning"; text: string; thought?: boolean }>
  | {
      type: "memory:step-complete";
      /** How many steps the agent has done. 0, or the same number again, completes none: it only carries what follows. */
      stepNumber: number;
      at?: number;
      inputTokens?: number;
      outputTokens?: number;
      /** What the agent was asked to do. */
      prompt?: string;
      /** What has no message of its own. */
      happened?: WorkerEvent[];
      /** With a moment: what the agent is to be told then is the reply. */
      requestId?: string;
      moment?: WorkerMoment;
      options?: InjectOptions;
    }
  | { type: "memory:session-complete"; outcome: Outcome; stepsExecuted: number; reason?: string; at?: number };

/** What brings the main thread the port by which the others come, where the worker's own is left to the program. */
export interface MemoryConnect {
  type: "memory:connect";
  port: MessagePort;
}

type InStep<Message> = Message & {
  /** From 0. */
  stepIndex: number;
  /** Milliseconds since 1970; absent: when it arrives. */
  at?: number;
};

/** What the main thread answers to the requests that have an id. */
export type MemoryReply = { type: "memory:reply"; requestId: string } & (
  | { of: "memory:search"; report: RecallReport }
  | { of: "memory:record"; kept: RememberedMemory }
  | { of: "memory:step-complete"; injection: Injection }
  | { of: "error"; error: { code: string; message: string; hint: string } }
);

type Without<T, Keys extends string> = T extends unknown ? Omit<T, Keys> : never;

/** A moment whose session and agent the main thread fills in. */
export type WorkerMoment = Without<Moment, "sessionId" | "agentId">;

/** An event that comes along with a step. */
export type WorkerEvent = Without<Extract<AgentEvent, { kind: CarriedKind }>, "sessionId" | "agentId">;

export type CarriedKind = "start" | "unit" | "subagent" | "qa" | "commit" | "remember" | "compacted";

/** A worker as the main thread has it, or a port; also one that only behaves so. */
export interface MessagePortLike {
  postMessage(message: unknown): void;
  on(event: string, listener: (value: unknown) => void): unknown;
  off(event: string, listener: (value: unknown) => void): unknown;
}

// A tool that prints a mebibyte has said what it had to say; more would only be copied from thread to thread.
const longestText = 1024 * 1024;

/** A text as it travels between threads: its beginning, where it is very long. */
export function carriedText(text: string): string {
  return text.length > longestText ? text.slice(0, longestText) : text;
}

/** The value as something with fields; without any where it is nothing of the kind. What threads send may be anything. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** A text that is not empty. */
export function wordsOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
