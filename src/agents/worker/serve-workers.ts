import { randomUUID } from "node:crypto";
import { MessagePort } from "node:worker_threads";
import type { AgentEvent, LearnedReport, Outcome, SessionType, TacitMemory } from "../../index.js";
import { noteSpoken } from "../../spoken.js";
import { answerRequest, errorAnswer } from "./answer-request.js";
import { eventsOf, type Served } from "./events-of-message.js";
import { fieldsOf, type MessagePortLike, wordsOf } from "./memory-messages.js";

/** What the main thread's end asks of a memory; `openMemory()` gives it. */
export type ServedMemory = Pick<TacitMemory, "observe" | "inject" | "recallReport" | "remember" | "finishSession">;

export interface ServeOptions {
  memory: ServedMemory;
  /** The session that all workers of the group belong to. Default: a new one. */
  sessionId?: string;
  /** What the agents call themselves, where they do not say so. Default `worker`. */
  agent?: string;
  type?: SessionType;
  /** What they are to do together. */
  task?: string;
  /** Where all of them work, whatever they say. Default: where each says that it works, or the folder of the memory. */
  directory?: string;
}

export interface FinishGroupOptions {
  /** How the session ended. Default: a success where at least one worker succeeded, and what they said where none did. */
  outcome?: Outcome;
  /** How long to wait for workers that are still at it. Default 10 s. */
  timeoutMs?: number;
}

/** Workers that work on one thing: one session, in which each of them is an agent. */
export interface WorkerGroup {
  readonly sessionId: string;
  /**
   * Listens to a worker, and answers it until it exits or the group is finished. The first one without an `agentId` is the
   * session's main agent; each of the others gets an id of its own. Messages that are not Tacit's are left alone.
   */
  serve(worker: MessagePortLike, options?: { agentId?: string }): void;
  /**
   * Waits until the workers are done or gone, but not for long, and learns from what all of them did together: what two of
   * them saw counts as proved, what one saw that failed counts for nothing but its dead ends. Undefined where there was
   * nothing to learn from, or it failed. Never throws.
   */
  finish(options?: FinishGroupOptions): Promise<LearnedReport | undefined>;
}

// A worker that asks more at once than it can use is told so.
const mostAsked = 64;
const usualPatienceMs = 10_000;

/**
 * Serves the memory of the main thread to agents in worker threads. Whatever a worker sends, no other worker and not the main
 * thread is disturbed by it.
 *
 * @example
 * const group = serveWorkers({ memory });
 * group.serve(new Worker("./agent.js"));
 * const report = await group.finish();
 */
export function serveWorkers({ memory, sessionId = randomUUID(), ...about }: ServeOptions): WorkerGroup {
  const parts: Part[] = [];
  let isStarted = false;
  let isFinished: Promise<LearnedReport | undefined> | undefined;

  const observe = (event: AgentEvent): void => {
    if (!isStarted) {
      isStarted = true;
      const { agent = "worker", ...start } = event.kind === "start" && event.agentId === undefined ? event : {};
      noteSpoken(about.agent ?? agent);
      memory.observe({ ...start, sessionId, kind: "start", agent, ...about });
    }
    memory.observe(event);
  };

  const hear = (part: Part, received: unknown): void => {
    try {
      const message = fieldsOf(received);
      if (!wordsOf(message["type"])?.startsWith("memory:")) return;
      if (message["type"] === "memory:session-complete") return complete(part, outcomeIn(message["outcome"]), message);
      const events = eventsOf(message, part.served);
      part.isWatched ||= events.length > 0;
      for (const event of events) observe(event);
      if (message["requestId"] !== undefined) reply(part, message);
    } catch (error) {
      complain(error);
    }
  };

  const reply = (part: Part, message: Record<string, unknown>): void => {
    const requestId = wordsOf(message["requestId"]);
    // The same question again, while the first is being answered, gets one answer.
    if (requestId === undefined || requestId.length > 200 || part.asked.has(requestId)) return;
    const send = (answer: object | undefined): void => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      if (answer) part.worker.postMessage({ type: "memory:reply", requestId, ...answer });
    };
    const work = async (): Promise<void> => {
      if (part.asked.size >= mostAsked) return send(errorAnswer(tooMuch));
      const answering = answerRequest(memory, message, part.served, part).catch(errorAnswer);
      part.asked.set(requestId, answering);
      try {
        send(await answering);
      } finally {
        part.asked.delete(requestId);
      }
    };
    // The worker may be gone, or the answer be none that can be sent.
    work().catch(complain);
  };

  /** Of the main agent it is the end of the session, which ends with the last worker. */
  const complete = (part: Part, outcome: Outcome, { reason }: { reason?: unknown } = {}): void => {
    if (part.outcome !== undefined) return;
    part.outcome = outcome;
    part.done();
    const { agentId } = part.served;
    if (agentId === undefined || !part.isWatched) return;
    observe({ sessionId, agentId, kind: "end", outcome, ...(typeof reason === "string" && { reason }) });
  };

  const finishAll = async ({
    outcome,
    timeoutMs = usualPatienceMs,
  }: FinishGroupOptions): Promise<LearnedReport | undefined> => {
    try {
      const answering = () => Promise.allSettled(parts.flatMap(({ asked }) => [...asked.values()]));
      await atMost(timeoutMs, Promise.all(parts.map(({ over }) => over)).then(answering));
      for (const part of parts) {
        part.leave();
        complete(part, "unknown");
      }
      if (!isStarted) return undefined;
      memory.observe({ sessionId, kind: "end", outcome: outcome ?? outcomeOf(parts) });
      return await memory.finishSession(sessionId, about.type === undefined ? {} : { type: about.type });
    } catch (error) {
      complain(error);
      return undefined;
    }
  };

  return {
    sessionId,
    serve(worker, { agentId } = {}) {
      if (isFinished) return;
      const { directory } = about;
      const who = { sessionId, agentId: agentId ?? freeId(parts), number: parts.length + 1 };
      const part = openPart(worker, { ...who, ...(directory !== undefined && { directory }) });
      parts.push(part);
      const heard = (message: unknown) => hear(part, message);
      const exited = (code: unknown) => {
        complete(part, code === 0 || code === undefined ? "unknown" : "abandoned");
        part.leave();
      };
      part.leave = () => {
        for (const [name, listener] of [
          ["message", heard],
          ["exit", exited],
          ["close", exited],
        ] as const) {
          worker.off(name, listener);
        }
      };
      worker.on("exit", exited);
      worker.on("close", exited);
      worker.on("message", heard);
      // A port that only we listen to keeps nobody alive. A worker does that by itself, and `unref` would be its own.
      if (worker instanceof MessagePort && worker.listenerCount("message") === 1) worker.unref();
    },
    finish(options = {}) {
      return (isFinished ??= finishAll(options));
    },
  };
}

/** A worker's part in the session. */
interface Part {
  worker: MessagePortLike;
  served: Served;
  /** Whether it tells what it does: only then is known what it had read. */
  isWatched: boolean;
  outcome: Outcome | undefined;
  /** What is being answered, by the request's id. */
  asked: Map<string, Promise<unknown>>;
  over: Promise<void>;
  done: () => void;
  /** Stops listening. */
  leave: () => void;
}

function openPart(worker: MessagePortLike, who: Omit<Served, "stepsDone" | "callsMade" | "open">): Part {
  let done = (): void => {};
  const over = new Promise<void>((resolve) => (done = resolve));
  const served = { ...who, stepsDone: 0, callsMade: 0, open: new Map<string, string[]>() };
  return { worker, served, isWatched: false, outcome: undefined, asked: new Map(), over, done, leave: () => {} };
}

/** The main agent where there is none yet. */
function freeId(parts: readonly Part[]): string | undefined {
  const taken = new Set(parts.map(({ served }) => served.agentId));
  if (!taken.has(undefined)) return undefined;
  let number = parts.length + 1;
  while (taken.has(`worker-${number}`)) number += 1;
  return `worker-${number}`;
}

const outcomes: readonly Outcome[] = ["success", "failure", "abandoned", "unknown"];

function outcomeIn(value: unknown): Outcome {
  return outcomes.find((one) => one === value) ?? "unknown";
}

/** What one of them achieved was achieved. */
function outcomeOf(parts: readonly Part[]): Outcome {
  const said = parts.map(({ outcome = "unknown" }) => outcome);
  return (
    outcomes.find((one) => (one === "success" ? said.includes(one) : one === "unknown" || isAll(said, one))) ??
    "unknown"
  );
}

function isAll(said: readonly Outcome[], outcome: Outcome): boolean {
  return said.length > 0 && said.every((one) => one === outcome || (outcome === "failure" && one === "abandoned"));
}

const tooMuch = {
  code: "store-failed",
  message: `More than ${mostAsked} questions are waiting for their answers.`,
  hint: "Wait for some of them.",
};

async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

let hasComplained = false;

/** Once, and only where somebody wants to know: the agents go on without. */
function complain(error: unknown): void {
  if (hasComplained || !process.env["TACIT_DEBUG"]) return;
  hasComplained = true;
  process.stderr.write(`tacit: ${error instanceof Error ? error.message : String(error)}\n`);
}
