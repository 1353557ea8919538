import { MemoryError, type TacitMemory } from "../../index.js";
import { isMemory, noMemory, type AgentMemory } from "../agent-memory.js";
import { complainOnce } from "../complain-once.js";

/** A memory that may be slow, broken or still opening, so that nobody has to mind. */
export interface ReachedMemory {
  /** The memory or promise that was given, to tell whether two reach the same. */
  given: object;
  /** Rejects where it could not be opened, or is none. */
  opened: Promise<AgentMemory>;
  /** What the memory answers, or `otherwise` where it is late, throws or could not be opened. Never throws. */
  ask: <T>(otherwise: T, work: (memory: AgentMemory) => Promise<T>, patienceMs?: number) => Promise<T>;
  /** Lets the memory know something, in the order in which it is called. Nobody waits. */
  tell: (work: (memory: AgentMemory) => unknown) => void;
  /** Says once what went wrong, where `TACIT_DEBUG=1` asks for that. */
  complain: (error: unknown) => void;
}

// Every deadline of `inject` is shorter; beyond it is a worker whose thread is busy, or a memory that hangs.
const usualPatienceMs = 3000;

/**
 * Reaches a memory, or one that is being opened. While it owes an answer that nobody waits for any more, it is not asked
 * again: a memory that hangs costs an agent its patience once, not at each step.
 */
export function reachMemory(memory: AgentMemory | PromiseLike<AgentMemory>): ReachedMemory {
  const opened = Promise.resolve(memory).then((one) => checkMemory(one));
  let owed = 0;
  const complain = complainOnce();
  opened.catch(complain);

  return {
    given: memory,
    opened,
    complain,
    tell: (work) => void opened.then(work).catch(complain),
    ask: async (otherwise, work, patienceMs = usualPatienceMs) => {
      if (owed > 0) return otherwise;
      let isLate = false;
      let timer: NodeJS.Timeout | undefined;
      const answer = opened
        .then(work)
        .catch((error: unknown) => {
          complain(error);
          return otherwise;
        })
        .finally(() => (owed -= isLate ? 1 : 0));
      const late = new Promise<typeof otherwise>((give) => {
        timer = setTimeout(() => {
          isLate = true;
          owed += 1;
          complain(`the memory did not answer within ${patienceMs} ms`);
          give(otherwise);
        }, patienceMs);
      });
      return Promise.race([answer, late]).finally(() => clearTimeout(timer));
    },
  };
}

/** Gives back a memory, or a promise of one. Refuses anything else. */
export function checkMemory<M>(given: M, verbs: readonly (keyof TacitMemory)[] = ["observe", "inject", "as"]): M {
  if (isMemory(given, verbs)) return given;
  throw new MemoryError("invalid-input", noMemory, "const memory = await openMemory()");
}
