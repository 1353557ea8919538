import { randomUUID } from "node:crypto";
import { fieldsOf, type MemoryReply, type MemoryRequest, type MessagePortLike } from "./memory-messages.js";

/** What became of a question: its answer, or why there is none. `unsure`: it may have been heard all the same. */
export type Asked = MemoryReply | { of: "nothing"; problem: string; isUnsure: boolean };

export interface MainThread {
  /** Tells something. False where nobody can hear it; never throws. */
  tell(message: MemoryRequest): boolean;
  /** Asks something, and waits for the answer only so long. Never throws. */
  ask(message: (requestId: string) => MemoryRequest): Promise<Asked>;
}

// An agent asks one thing at a time; whoever asks more is in a loop.
const mostWaiting = 64;

/**
 * The main thread, over a port. It listens only while an answer is awaited, so that nothing here keeps a worker alive that is
 * done; what is not an answer to a question of ours is left to others.
 */
export function reachMainThread(port: MessagePortLike | null, timeoutMs: number): MainThread {
  const waiting = new Map<string, (asked: Asked) => void>();
  const settle = (requestId: string, asked: Asked): void => {
    const give = waiting.get(requestId);
    waiting.delete(requestId);
    if (waiting.size === 0) listen("off");
    give?.(asked);
  };
  const heard = (message: unknown): void => {
    const { type, requestId } = fieldsOf(message);
    if (type === "memory:reply" && typeof requestId === "string" && waiting.has(requestId)) {
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

  return {
    tell,
    ask: async (message) => {
      if (waiting.size >= mostWaiting) return noAnswer(`${mostWaiting} questions are waiting already.`, false);
      const requestId = randomUUID();
      let timer: NodeJS.Timeout | undefined;
      const answer = new Promise<Asked>((resolve) => waiting.set(requestId, resolve));
      if (waiting.size === 1) listen("on");
      if (tell(message(requestId))) {
        const late = () => settle(requestId, noAnswer(`The memory did not answer within ${timeoutMs} ms.`, true));
        timer = setTimeout(late, timeoutMs);
      } else {
        settle(requestId, noAnswer("There is no memory at the other end of the port.", false));
      }
      return answer.finally(() => clearTimeout(timer));
    },
  };
}

function noAnswer(problem: string, isUnsure: boolean): Asked {
  return { of: "nothing", problem, isUnsure };
}
