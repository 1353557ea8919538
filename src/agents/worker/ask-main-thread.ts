import { randomUUID } from "node:crypto";
import { fieldsOf, type MemoryReply, type MemoryRequest, type MessagePortLike } from "./memory-messages.js";

/** What became of a question: its answer, or why there is none. `unsure`: it may have been heard all the same. */
export type MainThreadAnswer = MemoryReply | { of: "nothing"; problem: string; isUnsure: boolean };

export interface MainThread {
  /** Tells something. False where nobody can hear it; never throws. */
  tell(message: MemoryRequest): boolean;
  /** Asks something, and waits for the answer only so long. Never throws. */
  ask(message: (requestId: string) => MemoryRequest): Promise<MainThreadAnswer>;
}

// An agent asks one thing at a time; whoever asks more is in a loop.
const maxWaiting = 64;

// One question may be unlucky; two in a row are a thread that does not listen.
const maxUnanswered = 2;
// After these many time-outs it is asked again, later after twice as many, and so on: a tenth of an agent's time at most.
const pauseTimeouts = 10;
const longestPauseMs = 600_000;

/**
 * The main thread, over a port. It listens only while an answer is awaited, so that nothing here keeps a worker alive that is
 * done; what is not an answer to a question of ours is left to others. A thread that does not answer is left alone for a
 * while, so that it costs an agent its patience twice, and not at each step.
 */
export function reachMainThread(port: MessagePortLike | null, timeoutMs: number): MainThread {
  const waiting = new Map<string, (asked: MainThreadAnswer) => void>();
  let unanswered = 0;
  let gaveUpAt = 0;
  let askAgainAt = 0;
  const settle = (requestId: string, asked: MainThreadAnswer): void => {
    const give = waiting.get(requestId);
    waiting.delete(requestId);
    if (waiting.size === 0) listen("off");
    give?.(asked);
  };
  const heard = (message: unknown): void => {
    const { type, requestId } = fieldsOf(message);
    if (type === "memory:reply" && typeof requestId === "string" && waiting.has(requestId)) {
      unanswered = 0;
      settle(requestId, message as MemoryReply);
    }
  };
  const closed = (): void => {
    for (const requestId of waiting.keys())
      settle(requestId, noAnswer("The memory's end of the port is closed.", true));
  };
  const listen = (how: "on" | "off"): void => {
    try {
      port?.[how]("message", heard);
      port?.[how]("close", closed);
    } catch {
      // Then no answer comes, and the time runs out.
    }
  };
  const tell = (message: MemoryRequest): boolean => {
    if (!port) return false;
    // What cannot be copied, such as a function among the arguments of a tool, is left out.
    for (const form of [() => message, () => JSON.parse(JSON.stringify(message)) as unknown]) {
      try {
        port.postMessage(form());
        return true;
      } catch {
        // The next form, or nobody hears it.
      }
    }
    return false;
  };

  const giveUp = (requestId: string, askedAt: number): void => {
    // What was asked beside a question that got no answer says nothing more.
    if (askedAt >= gaveUpAt) unanswered += 1;
    gaveUpAt = performance.now();
    const pauseMs = timeoutMs * pauseTimeouts * 2 ** (unanswered - maxUnanswered);
    askAgainAt = gaveUpAt + Math.min(pauseMs, longestPauseMs);
    settle(requestId, noAnswer(`The memory did not answer within ${timeoutMs} ms.`, true));
  };

  return {
    tell,
    ask: async (message) => {
      if (waiting.size >= maxWaiting) return noAnswer(`${maxWaiting} questions are waiting already.`, false);
      const now = performance.now();
      if (unanswered >= maxUnanswered) {
        if (now < askAgainAt) return noAnswer("The memory does not answer: it is not asked for now.", false);
        // Whoever asks beside this one does not wait as well.
        askAgainAt = now + timeoutMs;
      }
      const requestId = randomUUID();
      let timer: NodeJS.Timeout | undefined;
      const answer = new Promise<MainThreadAnswer>((resolve) => waiting.set(requestId, resolve));
      if (waiting.size === 1) listen("on");
      if (tell(message(requestId))) {
        timer = setTimeout(() => giveUp(requestId, now), timeoutMs);
      } else {
        settle(requestId, noAnswer("There is no memory at the other end of the port.", false));
      }
      return answer.finally(() => clearTimeout(timer));
    },
  };
}

function noAnswer(problem: string, isUnsure: boolean): MainThreadAnswer {
  return { of: "nothing", problem, isUnsure };
}
