// Calls verbs of the library one after the other in a process of its own, and says what each gave or threw.
// `calls` is a list of [verb, ...arguments]; a verb of a part is written as "store.prune".
// With `stays` it does so again for the settings in each line that it is told, until there are no more.
import { createInterface } from "node:readline";
import { describeError, say, settings } from "./speak.mjs";

const { openMemory, MemoryError } = await import(settings.library);

if (settings.stays) {
  for await (const line of createInterface({ input: process.stdin })) {
    const { home, ...told } = JSON.parse(line);
    // Each test has its own.
    if (home !== undefined) process.env.TACIT_HOME = home;
    await callAll(told);
    // A file is let go of when nothing is left of the statements that used it, as at the end of a process.
    for (let round = 0; round < 3; round += 1) {
      globalThis.gc();
      await new Promise((next) => setImmediate(next));
    }
    say({ done: true });
  }
} else await callAll(settings);

async function callAll({ db, project, timeoutMs, calls }) {
  let memory;
  await attempt(["open"], async () => {
    memory = await openMemory({ db, project, ...(timeoutMs !== undefined && { timeoutMs }) });
  });
  for (const [verb, ...args] of memory ? calls : []) {
    const [last, ...parts] = verb.split(".").toReversed();
    const part = parts.reduceRight((of, name) => of[name], memory);
    await attempt([verb, ...args], async () => part[last](...args));
  }
}

async function attempt(call, work) {
  const begun = performance.now();
  const tell = (outcome) => say({ call, ...outcome, ms: Math.round(performance.now() - begun) });
  try {
    tell({ value: (await work()) ?? null });
  } catch (error) {
    tell({ error: { ...describeError(error), isMemoryError: error instanceof MemoryError } });
  }
}
