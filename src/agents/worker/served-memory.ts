import type { TacitMemory } from "../../index.js";
import { isMemory, noMemory } from "../agent-memory.js";

/** What the main thread's end asks of a memory; `openMemory()` gives it. */
export type ServedMemory = Pick<TacitMemory, "observe" | "inject" | "recallReport" | "remember" | "finishSession"> &
  Partial<Pick<TacitMemory, "directory">>;

/** A memory that may still be opening. What it is told and asked comes to it in that order. */
export interface AwaitedMemory extends Omit<ServedMemory, "directory"> {
  tell: (work: (memory: ServedMemory) => void) => void;
}

/**
 * Takes a memory, or a promise of one, and refuses anything else. One that cannot be opened refuses what it is asked, and is
 * told nothing.
 */
export function awaitMemory(
  memory: ServedMemory | PromiseLike<ServedMemory>,
  complain: (error: unknown) => void,
): AwaitedMemory {
  const given = checkServed(memory);
  const opened = Promise.resolve(given).then(checkServed);
  opened.catch(complain);
  // At once where it is open.
  const tell: AwaitedMemory["tell"] = (work) =>
    "then" in given ? void opened.then(work).catch(complain) : work(given);
  return {
    tell,
    observe: (event) => tell((one) => one.observe(event)),
    inject: async (...asked) => (await opened).inject(...asked),
    recallReport: async (...asked) => (await opened).recallReport(...asked),
    remember: async (...asked) => (await opened).remember(...asked),
    finishSession: async (...asked) => (await opened).finishSession(...asked),
  };
}

/** By the shape of the class: to load that would load the library into every worker. */
function checkServed<M>(given: M): M {
  if (isMemory(given, ["observe", "inject", "recallReport", "remember", "finishSession"])) return given;
  const parts = { name: "MemoryError", code: "invalid-input", hint: "serveWorkers({ memory: await openMemory() })" };
  throw Object.assign(new Error(noMemory), parts);
}
