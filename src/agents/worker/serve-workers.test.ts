import { EventEmitter } from "node:events";
import { expect, it, onTestFinished, vi } from "vitest";
import type { AgentEvent } from "../../index.js";
import { serveWorkers } from "./serve-workers.js";
import type { ServedMemory } from "./served-memory.js";

it("[U7] a group is finished when the last worker is done or gone, and whoever asks then is told so", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const events: AgentEvent[] = [];
  const memory: ServedMemory = {
    observe: (event) => void events.push(event),
    finishSession: async () => undefined,
    as: () => ({ inject: never, recallReport: never, remember: never }),
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

it("[U7] a group takes a memory that is still being opened, goes on without one that fails, and refuses what is none", async () => {
  const events: AgentEvent[] = [];
  const memory: ServedMemory = {
    directory: "/work",
    observe: (event) => void events.push(event),
    finishSession: async () => ({ events: events.length }) as never,
    as: () => ({ inject: never, recallReport: never, remember: never }),
  };
  const opening = serveWorkers({ memory: Promise.resolve(memory), sessionId: "s" });
  const failing = serveWorkers({ memory: Promise.reject(new Error("no")) });
  const [served, alone] = [worker(), worker()];
  opening.serve(served);
  failing.serve(alone);

  for (const one of [served, alone]) {
    one.emit("message", { type: "memory:step-complete", stepNumber: 1, prompt: "Mend it." });
    one.emit("message", { type: "memory:search", requestId: "1", query: "x" });
    one.emit("exit", 0);
  }

  expect(await opening.finish()).toEqual({ events: 4 });
  expect(events.map(({ kind }) => kind)).toEqual(["start", "prompt", "step", "end"]);
  expect(events[0]).toMatchObject({ directory: "/work", agent: "worker" });
  expect(await failing.finish()).toBeUndefined();
  expect(alone.sent).toMatchObject([{ of: "error", error: { message: "no" } }]);
  for (const none of [undefined, {}, { memory: {} }] as never[]) {
    expect(() => serveWorkers(none)).toThrow("memory must be an open memory, or a promise of one.");
  }
});

const never = () => Promise.reject(new Error("Nobody should ask."));

function worker() {
  const sent: unknown[] = [];
  return Object.assign(new EventEmitter(), { sent, postMessage: (message: unknown) => sent.push(message) });
}
