import type { Shell } from "./shell.js";

/** Does work that Ctrl-C stops in good order, and takes its line of progress away. A second Ctrl-C ends the process at once. */
export async function whileStoppable<T>(
  shell: Shell,
  work: (signal: AbortSignal) => Promise<T>,
  by: readonly NodeJS.Signals[] = ["SIGINT"],
): Promise<T> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  for (const signal of by) process.once(signal, stop);
  try {
    return await work(stopping.signal);
  } finally {
    for (const signal of by) process.off(signal, stop);
    shell.progress("");
  }
}
