import { randomUUID } from "node:crypto";
import type { AgentEvent, LearnedReport, Outcome, SessionType } from "../../index.js";
import { noteAgentSeen } from "../../install/last-seen/agents-seen.js";
import { complainOnce } from "../complain-once.js";
import type { MessagePortLike } from "./memory-messages.js";
import { awaitMemory, type ServedMemory } from "./served-memory.js";
import { openWorkerPart, type WorkerPart } from "./worker-part.js";

export interface ServeOptions {
  /** Open, or being opened. */
  memory: ServedMemory | PromiseLike<ServedMemory>;
  /** The session that all workers of the group belong to. Default: a new one. */
  sessionId?: string;
  /** What the agents call themselves, where they do not say so. Default `worker`. */
  agent?: string;
  type?: SessionType;
  /** What they are to do together. */
  task?: string;
  /** Where all of them work, whatever they say. Default: where each says that it works, or the folder that the memory was opened with. */
  directory?: string;
}

export interface FinishGroupOptions {
  /** How the session ended. Default: a success where at least one worker succeeded, and what they said where none did. */
  outcome?: Outcome;
  /** How long to wait for workers that are still at it. Default: until the last one says that it is done, or is gone. */
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
   * Waits until the workers are done or gone, and learns from what all of them did together: what two of them saw counts as
   * proved, what one saw that failed counts for nothing but its dead ends. Who asks afterwards is told that it is too late.
   * Undefined where there was nothing to learn from, or it failed. Never throws.
   */
  finish(options?: FinishGroupOptions): Promise<LearnedReport | undefined>;
}

/**
 * Serves the memory of the main thread to agents in worker threads. Whatever a worker sends, no other worker and not the main
 * thread is disturbed by it.
 *
 * @example
 * const group = serveWorkers({ memory });
 * group.serve(new Worker("./agent.js"));
 * const report = await group.finish();
 */
export function serveWorkers(options: ServeOptions): WorkerGroup {
  const { memory: given, sessionId = randomUUID(), ...about } = Object(options) as ServeOptions;
  const parts: WorkerPart[] = [];
  const complain = complainOnce();
  const memory = awaitMemory(given, complain);
  let isStarted = false;
  let isFinished: Promise<LearnedReport | undefined> | undefined;

  const observe = (event: AgentEvent): void => {
    if (!isStarted) {
      isStarted = true;
      const { agent = "worker", ...start } = event.kind === "start" && event.agentId === undefined ? event : {};
      noteAgentSeen(about.agent ?? agent);
      memory.tell((opened) => {
        const where = opened.directory === undefined ? {} : { directory: opened.directory };
        opened.observe({ ...where, ...start, sessionId, kind: "start", agent, ...about });
      });
    }
    memory.observe(event);
  };

  const finishAll = async ({ outcome, timeoutMs }: FinishGroupOptions): Promise<LearnedReport | undefined> => {
    try {
      await atMost(timeoutMs, Promise.all(parts.map(({ over }) => over)));
      for (const part of parts) part.close();
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
      const { directory } = about;
      const who = { sessionId, agentId: agentId ?? freeId(parts), number: parts.length + 1 };
      const known = { ...who, ...(directory !== undefined && { directory }) };
      const part = openWorkerPart(worker, known, { memory, observe, complain });
      if (isFinished) part.close();
      else parts.push(part);
    },
    finish(how = {}) {
      return (isFinished ??= finishAll(how));
    },
  };
}

/** The main agent where there is none yet. */
function freeId(parts: readonly WorkerPart[]): string | undefined {
  const taken = new Set(parts.map(({ agentId }) => agentId));
  if (!taken.has(undefined)) return undefined;
  let number = parts.length + 1;
  while (taken.has(`worker-${number}`)) number += 1;
  return `worker-${number}`;
}

/** What one of them achieved was achieved. Otherwise it is known only where each of them said so, and who gave up did not fail. */
function outcomeOf(parts: readonly WorkerPart[]): Outcome {
  const said = new Set(parts.map(({ outcome }) => outcome() ?? "unknown"));
  if (said.has("success")) return "success";
  if (said.has("unknown")) return "unknown";
  return said.has("failure") ? "failure" : "abandoned";
}

async function atMost(ms: number | undefined, work: Promise<unknown>): Promise<void> {
  if (ms === undefined) return void (await work);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
