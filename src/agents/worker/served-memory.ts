import type { Caller, TacitMemory } from "../../index.js";
import { isMemory, noMemory } from "../agent-memory.js";

/** What the main thread's end asks of a memory; `openMemory()` gives it. */
export type ServedMemory = Pick<TacitMemory, "observe" | "finishSession"> &
  Partial<Pick<TacitMemory, "directory">> & {
    /** A worker asks as the agent that it is. */
    as: (actor: Caller) => Pick<TacitMemory, "inject" | "recallReport" | "remember">;
  };

/** A memory that may still be opening. What it is told and asked comes to it in that order. */
export interface AwaitedMemory extends Pick<ServedMemory, "observe" | "finishSession"> {
  as: (actor: Caller) => Promise<ReturnType<ServedMemory["as"]>>;
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
    as: async (actor) => (await opened).as(actor),
    finishSession: async (...asked) => (await opened).finishSession(...asked),
  };
}

/** By the shape of the class: to load that would load the library into every worker. */
function checkServed<M>(given: M): M {
  if (isMemory(given, ["observe", "finishSession", "as"])) return given;
  const parts = { name: "MemoryError", code: "invalid-input", hint: "serveWorkers({ memory: await openMemory() })" };
  throw Object.assign(new Error(noMemory), parts);
}
