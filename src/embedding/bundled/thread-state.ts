/**
 * Whether a thread may be ended, as both sides see it. One that is ended in the middle of native work takes the whole
 * process with it: `onnxruntime-node` aborts when it returns to a thread that is no more (1.30.0, every time).
 */
export type ThreadState = Int32Array;

const idle = 0;
const busy = 1;
const ended = 2;

export function newThreadState(): ThreadState {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/** Does the work, unless the thread is about to be ended: then it never returns. */
export async function whileBusy<T>(state: ThreadState, work: () => Promise<T>): Promise<T> {
  if (Atomics.compareExchange(state, 0, idle, busy) === ended) return new Promise(() => {});
  try {
    return await work();
  } finally {
    Atomics.store(state, 0, idle);
    Atomics.notify(state, 0);
  }
}

/** Waits, and blocks, until the thread is between two pieces of work, and lets it begin none after that. */
export function endWhenIdle(state: ThreadState, timeoutMs: number): void {
  const deadline = Date.now() + timeoutMs;
  while (Atomics.compareExchange(state, 0, idle, ended) === busy && Date.now() < deadline) {
    Atomics.wait(state, 0, busy, deadline - Date.now());
  }
}
