// An agent in a worker thread that does what it is told and says what came of it. It ends by itself: nothing keeps it.
import { parentPort, workerData } from "node:worker_threads";

/* oxlint-disable unicorn/require-post-message-target-origin -- a thread has no origin */
const { connectMemory } = await import(workerData.module);
const memory = connectMemory({ timeoutMs: workerData.timeoutMs });
const answers = [];
for (const act of workerData.acts) {
  if (act.observe) memory.observe(act.observe);
  if (act.inject) answers.push(await memory.inject(act.inject, { deadlineMs: 30_000 }));
  if (act.recall) answers.push(await memory.recallReport(act.recall, act.filters));
  if (act.remember) answers.push(await memory.remember(act.remember).catch(({ code, message }) => ({ code, message })));
  if (act.post) parentPort.postMessage(act.post);
  if (act.hang) setInterval(() => {}, 1000);
}
parentPort.postMessage({ answers });
