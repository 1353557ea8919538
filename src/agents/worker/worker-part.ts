import { MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { AgentEvent, Outcome } from "../../index.js";
import { answerRequest, errorAnswer } from "./answer-request.js";
import { eventsOf, type Served } from "./events-of-message.js";
import { fieldsOf, type MessagePortLike, wordsOf } from "./memory-messages.js";
import type { AwaitedMemory } from "./served-memory.js";

/** A worker's part in the session. */
export interface WorkerPart {
  readonly agentId: string | undefined;
  /** How it ended, as it said or as it exited; undefined while it works. */
  outcome: () => Outcome | undefined;
  /** Once it has said that it is done, or is gone, and has been answered what it had asked. */
  over: Promise<void>;
  /** Hears nothing any more, and answers every question with an error, so that nobody waits for a group that is finished. */
  close: () => void;
}

export interface WorkerPartOptions {
  memory: AwaitedMemory;
  observe: (event: AgentEvent) => void;
  complain: (error: unknown) => void;
}

// A worker that asks more at once than it can use is told so.
const maxAsked = 64;
// One for each memory that a worker connects; more is a worker in a loop.
const maxPorts = 16;

/** Listens to a worker, directly and by the ports that it sends, and answers it. */
export function openWorkerPart(
  worker: MessagePortLike,
  who: Who,
  { memory, observe, complain }: WorkerPartOptions,
): WorkerPart {
  const served: Served = { ...who, stepsDone: 0, callsMade: 0, open: new Map() };
  /** What is being answered, by the request's id. */
  const asked = new Map<string, Promise<unknown>>();
  const ports = new Set<MessagePort>();
  /** Whether it tells what it does: only then is known what it had read. */
  let isWatched = false;
  let isClosed = false;
  let outcome: Outcome | undefined;
  let done = (): void => {};
  const isOver = new Promise<void>((resolve) => (done = resolve));

  const hear = (from: MessagePortLike, received: unknown): void => {
    try {
      const message = fieldsOf(received);
      const type = wordsOf(message["type"]);
      if (!type?.startsWith("memory:")) return;
      if (type === "memory:connect") return connect(message["port"]);
      if (!isClosed) note(message);
      if (message["requestId"] !== undefined) reply(from, message);
    } catch (error) {
      complain(error);
    }
  };

  const note = (message: Record<string, unknown>): void => {
    if (message["type"] === "memory:session-complete") {
      return complete(outcomes.find((one) => one === message["outcome"]) ?? "unknown", message["reason"]);
    }
    const events = eventsOf(message, served);
    isWatched ||= events.length > 0;
    for (const event of events) observe(event);
  };

  const connect = (port: unknown): void => {
    if (!(port instanceof MessagePort) || ports.size >= maxPorts) return;
    ports.add(port);
    port.on("message", (message) => hear(port, message));
    port.on("close", () => ports.delete(port));
    port.unref();
  };

  const reply = (from: MessagePortLike, message: Record<string, unknown>): void => {
    const requestId = wordsOf(message["requestId"]);
    // The same question again, while the first is being answered, gets one answer.
    if (requestId === undefined || requestId.length > 200 || asked.has(requestId)) return;
    const send = (answer: object | undefined): void => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      if (answer) from.postMessage({ type: "memory:reply", requestId, ...answer });
    };
    if (isClosed) return send(errorAnswer(finished));
    if (asked.size >= maxAsked) return send(errorAnswer(tooMuch));
    const answering = answerRequest(memory, message, served, { isWatched }).catch(errorAnswer);
    // The worker may be gone, or the answer be none that can be sent.
    const sent = answering.then(send).catch(complain);
    asked.set(
      requestId,
      sent.finally(() => asked.delete(requestId)),
    );
  };

  /** Of the main agent it is the end of the session, which ends with the last worker. */
  const complete = (how: Outcome, reason?: unknown): void => {
    if (outcome !== undefined) return;
    outcome = how;
    done();
    const { sessionId, agentId } = served;
    if (agentId === undefined || !isWatched) return;
    observe({ sessionId, agentId, kind: "end", outcome, ...(typeof reason === "string" && { reason }) });
  };

  const heard = (message: unknown): void => hear(worker, message);
  const exited = (code: unknown): void => {
    for (const [name, listener] of listeners) worker.off(name, listener);
    // What it sent last may still lie in its ports, as it does not in the worker itself.
    for (const port of ports) {
      for (let last = receiveMessageOnPort(port); last; last = receiveMessageOnPort(port)) {
        hear(port, last.message);
      }
    }
    if (!isClosed) complete(code === 0 || code === undefined ? "unknown" : "abandoned");
  };
  const listeners = [
    ["message", heard],
    ["exit", exited],
    ["close", exited],
  ] as const;
  for (const [name, listener] of listeners) worker.on(name, listener);
  // A port that only we listen to keeps nobody alive. A worker does that by itself, and `unref` would be its own.
  if (worker instanceof MessagePort && worker.listenerCount("message") === 1) worker.unref();
  if (worker instanceof Worker && worker.threadId === -1) exited(undefined);

  return {
    agentId: served.agentId,
    outcome: () => outcome,
    over: isOver.then(async () => void (await Promise.all(asked.values()))),
    close: () => {
      if (outcome === undefined) complete("unknown");
      isClosed = true;
    },
  };
}

/** Who a worker is, before it has done anything. */
type Who = Omit<Served, "stepsDone" | "callsMade" | "open">;

const outcomes: readonly Outcome[] = ["success", "failure", "abandoned", "unknown"];

const tooMuch = {
  code: "store-failed",
  message: `More than ${maxAsked} questions are waiting for their answers.`,
  hint: "Wait for some of them.",
};

const finished = {
  code: "store-closed",
  message: "The session of this worker is finished.",
  hint: "Go on without it, or serve the worker in a group that is not finished.",
};
