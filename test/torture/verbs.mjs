// Calls verbs of the library one after the other in a process of its own, and says what each gave or threw.
// `calls` is a list of [verb, ...arguments]; with `asUser` everything is loaded first and the rest done as that user.
import { describeError, say, settings } from "./speak.mjs";

const { library, db, project, timeoutMs, calls, asUser } = settings;
const { openMemory, MemoryError } = await import(library);

if (asUser !== undefined) {
  // Whoever that is may not read the folder that this program lies in: all that is loaded late is loaded now.
  const warm = await openMemory({ db: ":memory:", project: "warm" });
  await warm.remember({ content: "warm", type: "dead_end", data: { approachTried: "a", whyItFailed: "b" } });
  await warm.recall("warm");
  await warm.diagnose();
  await warm.close();
  process.setgroups([]);
  process.setgid(asUser);
  process.setuid(asUser);
}

let memory;
await attempt(["open"], async () => {
  memory = await openMemory({ db, project, ...(timeoutMs !== undefined && { timeoutMs }) });
});
for (const [verb, ...args] of memory ? calls : []) {
  await attempt([verb, ...args], async () => memory[verb](...args));
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
