import { EventEmitter } from "node:events";
import { expect, it, onTestFinished, vi } from "vitest";
import type { AgentEvent } from "../../index.js";
import { serveWorkers, type ServedMemory } from "./serve-workers.js";

it("[U7] a group is finished when the last worker is done or gone, and whoever asks then is told so", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const events: AgentEvent[] = [];
  const never = () => Promise.reject(new Error("Nobody should ask."));
  const memory: ServedMemory = {
    observe: (event) => void events.push(event),
    finishSession: async () => undefined,
    inject: never,
    recallReport: never,
    remember: never,
  };
  const group = serveWorkers({ memory, sessionId: "s" });
  const [slow, fast, late] = [worker(), worker(), worker()];
  group.serve(slow);
  group.serve(fast);
  let isFinished = false;

  void group.finish().then(() => (isFinished = true));
  slow.emit("message", { type: "memory:step-complete", stepNumber: 1, prompt: "Mend it." });
  fast.emit("exit", 1);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(isFinished).toBe(false);
  slow.emit("message", { type: "memory:session-complete", outcome: "failure" });
  await vi.advanceTimersByTimeAsync(0);
  expect(isFinished).toBe(true);
  expect(events.at(-1)).toEqual({ kind: "end", sessionId: "s", outcome: "failure" });

  const seen = events.length;
  group.serve(late);
  for (const one of [slow, late]) {
    one.emit("message", { type: "memory:step-complete", stepNumber: 2, prompt: "And that." });
    one.emit("message", { type: "memory:search", requestId: "1", query: "x" });
    expect(one.sent).toMatchObject([
      { type: "memory:reply", requestId: "1", of: "error", error: { code: "store-closed" } },
    ]);
  }
  expect(events).toHaveLength(seen);

  const hurried = serveWorkers({ memory });
  hurried.serve(worker());
  const report = hurried.finish({ timeoutMs: 50 });
  await vi.advanceTimersByTimeAsync(50);
  expect(await report).toBeUndefined();
});

function worker() {
  const sent: unknown[] = [];
  return Object.assign(new EventEmitter(), { sent, postMessage: (message: unknown) => sent.push(message) });
}
