import { MessageChannel, parentPort } from "node:worker_threads";
import type {
  Caller,
  Injection,
  MemoryErrorCode,
  Moment,
  RecallReport,
  RememberedMemory,
  TacitMemory,
} from "../../index.js";
import { reachMainThread, type MainThreadAnswer } from "./ask-main-thread.js";
import { fieldsOf, type MemoryConnect, type MessagePortLike } from "./memory-messages.js";
import { messageOf } from "./message-of-event.js";

export interface ConnectOptions {
  /**
   * The way to the main thread. Default: one of its own, which the worker's port carries there in a `memory:connect`, so that
   * what else the main thread sends is left alone. Given, it should be for the memory only: while nobody else listens to it,
   * messages of others are lost.
   */
  port?: MessagePortLike | null;
  /** How long the agent waits for an answer before it goes on without. Default 3 s. */
  timeoutMs?: number;
}

/** A memory as a worker has it; what plug-ins of agents need at least. */
export interface WorkerMemory extends Pick<TacitMemory, "observe" | "inject" | "recallReport" | "remember"> {
  /** The same: the thread that serves the worker knows who asks, whatever is said here. */
  as(actor: Caller): WorkerMemory;
}

// The first design.
const usualTimeoutMs = 3000;

/**
 * The memory of the main thread, for an agent in a worker. Session and agent are those under which the worker is served,
 * whatever an event or a moment says. Where no answer comes in time the agent goes on without: nothing is told, nothing is
 * found, with a note that says why. Only `remember` throws, since nobody else could say whether it was kept; a memory that
 * is slow may have kept it (`store-unsure`).
 *
 * @example
 * const memory = connectMemory();
 * memory.observe({ kind: "prompt", sessionId: "", text: "Mend the parser." });
 * const { text } = await memory.inject({ point: "prompt", sessionId: "", prompt: "Mend the parser." });
 */
export function connectMemory({ port, timeoutMs = usualTimeoutMs }: ConnectOptions = {}): WorkerMemory {
  const main = reachMainThread(port === undefined ? ownPort() : port, timeoutMs);
  let steps = 0;
  const memory: WorkerMemory = {
    as: () => memory,
    observe: (event) => {
      try {
        if (event.kind === "step") steps += 1;
        const message = messageOf(event, steps);
        if (message) main.tell(message);
      } catch {
        // An agent must not break because of its memory, whatever it hands over.
      }
    },
    inject: async (moment, options) => {
      const { sessionId: _session, agentId: _agent, ...rest } = fieldsOf(moment) as unknown as Moment;
      const asked = await main.ask((requestId) => ({
        type: "memory:step-complete",
        stepNumber: steps,
        requestId,
        moment: rest,
        ...(options && { options }),
      }));
      if (asked.of === "memory:step-complete" && isInjection(asked.injection)) return asked.injection;
      const nothing = { point: rest.point, text: "", tokens: 0, memories: [], files: [], notes: [] };
      return { ...nothing, problem: problemOf(asked), isLate: asked.of === "nothing" && asked.isUnsure };
    },
    recallReport: async (query, filters) => {
      const asked = await main.ask((requestId) => ({
        type: "memory:search",
        requestId,
        query,
        ...(filters && { filters }),
      }));
      return asked.of === "memory:search" && isReport(asked.report) ? asked.report : nothingFound(problemOf(asked));
    },
    remember: async (entry) => {
      const asked = await main.ask((requestId) => ({ type: "memory:record", requestId, entry }));
      if (asked.of === "memory:record" && isKept(asked.kept)) return asked.kept;
      throw await refusal(asked);
    },
  };
  return memory;
}

/** A way to the main thread beside the worker's port, which belongs to the program. */
function ownPort(): MessagePortLike | null {
  try {
    if (!parentPort) return null;
    const { port1, port2 } = new MessageChannel();
    parentPort.postMessage({ type: "memory:connect", port: port2 } satisfies MemoryConnect, [port2]);
    return port1;
  } catch {
    return null;
  }
}

function isInjection(value: unknown): value is Injection {
  const { text, memories, files, notes } = fieldsOf(value);
  return typeof text === "string" && [memories, files, notes].every((list) => Array.isArray(list));
}

function isReport(value: unknown): value is RecallReport {
  const { results, notes, heldBack } = fieldsOf(value);
  return [results, notes, heldBack].every((list) => Array.isArray(list));
}

function isKept(value: unknown): value is RememberedMemory {
  const { id, status, trustFlags } = fieldsOf(value);
  return typeof id === "string" && typeof status === "string" && Array.isArray(trustFlags);
}

function problemOf(asked: MainThreadAnswer): string {
  if (asked.of === "nothing") return asked.problem;
  const { message } = asked.of === "error" ? fieldsOf(asked.error) : {};
  return typeof message === "string" ? message : "The memory's answer was none.";
}

function nothingFound(problem: string): RecallReport {
  const none = { results: [], heldBack: [], isLifted: false, codeChangedTop: false };
  return { ...none, mode: "words", kind: "semantic", notes: [problem] };
}

async function refusal(asked: MainThreadAnswer): Promise<Error> {
  // Only here: to load the library takes a worker longer than all the rest.
  const { MemoryError } = await import("../../index.js");
  const { code, hint } = asked.of === "error" ? fieldsOf(asked.error) : {};
  if (typeof code === "string" && typeof hint === "string") {
    return new MemoryError(code as MemoryErrorCode, problemOf(asked), hint);
  }
  return asked.of === "nothing" && !asked.isUnsure
    ? new MemoryError("store-unreachable", problemOf(asked), "Go on without it.")
    : new MemoryError("store-unsure", problemOf(asked), "It may have been kept: recall it before you say it again.");
}
