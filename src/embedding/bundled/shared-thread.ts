import { ModelThread } from "./model-thread.js";
import type { RuntimeName } from "./open-model.js";

interface Shared {
  thread: ModelThread;
  users: Set<object>;
}

// One for each runtime: a process may have many memories open, and one model is enough for all of them.
const shared = new Map<RuntimeName | undefined, Shared>();

/** The thread of this process, started by the first who needs it and anew after a failure. Give it back when done. */
export function borrowThread(runtime: RuntimeName | undefined, user: object): ModelThread {
  let known = shared.get(runtime);
  if (!known?.thread.isAlive) {
    known = { thread: new ModelThread(runtime), users: known?.users ?? new Set() };
    shared.set(runtime, known);
  }
  known.users.add(user);
  return known.thread;
}

/** Resolves when the thread has ended, for the last who had it. */
export async function returnThread(runtime: RuntimeName | undefined, user: object): Promise<void> {
  const known = shared.get(runtime);
  if (!known?.users.delete(user) || known.users.size > 0) return;
  shared.delete(runtime);
  await known.thread.close();
}
