import { EventEmitter, once } from "node:events";
import { MessageChannel } from "node:worker_threads";
import { expect, it, onTestFinished, vi } from "vitest";
import type { AgentMemory } from "../agent-memory.js";
import { connectMemory } from "./connect-memory.js";

/* oxlint-disable unicorn/require-post-message-target-origin -- a port has no origin */

it("[U4] listens only while it waits, drops what comes late, and leaves the messages of others alone", async () => {
  const { port1: port, port2: main } = new MessageChannel();
  const asked: { requestId?: string; args?: unknown }[] = [];
  main.on("message", (message: { requestId?: string }) => asked.push(message));
  const memory: AgentMemory = connectMemory({ port, timeoutMs: 20 });
  const report = (notes: string[]) => ({ of: "memory:search", report: { results: [], notes, heldBack: [] } });

  const late = await memory.recallReport("first");
  const listeners = port.listenerCount("message");
  const others: unknown[] = [];
  port.on("message", (message) => others.push(message));
  const second = connectMemory({ port, timeoutMs: 5000 }).recallReport("second");
  await once(main, "message");
  main.postMessage("theirs");
  main.postMessage({ type: "memory:reply", requestId: asked[0]?.requestId, ...report(["too late"]) });
  main.postMessage({ type: "memory:reply", requestId: asked[1]?.requestId, ...report(["in time"]) });

  expect(late).toMatchObject({ results: [], notes: ["The memory did not answer within 20 ms."] });
  expect(listeners).toBe(0);
  expect(await second).toMatchObject({ notes: ["in time"] });
  expect(others[0]).toBe("theirs");
  expect(port.listenerCount("message")).toBe(1);

  memory.observe({ kind: "call", sessionId: "s", callId: "1", tool: "Read", input: { file_path: "a", log: () => 1 } });
  await once(main, "message");
  expect(asked[2]).toMatchObject({ type: "memory:tool-call", callId: "1", args: { file_path: "a" } });

  const patient = connectMemory({ port, timeoutMs: 60_000 });
  const waiting = [patient.inject({ point: "step", sessionId: "s" }), patient.remember({ content: "It is so." })];
  main.close();
  expect(await Promise.allSettled(waiting)).toMatchObject([
    { value: { text: "", problem: expect.stringContaining("closed") } },
    { reason: { code: "store-unsure" } },
  ]);
  const nowhere = connectMemory({ port: null });
  await expect(nowhere.remember({ content: "It is so." })).rejects.toMatchObject({ code: "store-unreachable" });
});

it("[U4] costs an agent three seconds twice where nobody answers, however many steps it takes, and asks again later", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const asked: string[] = [];
  const port = Object.assign(new EventEmitter(), {
    postMessage: ({ requestId = "" }: { requestId?: string }) => asked.push(requestId),
  });
  const memory = connectMemory({ port });
  const step = async (): Promise<number> => {
    const began = Date.now();
    const told = Promise.all([memory.inject({ point: "step", sessionId: "s", step: 9 }), memory.recallReport("x")]);
    // In steps of the clock as long as anything is waited for.
    while (vi.getTimerCount() > 0) await vi.advanceTimersToNextTimerAsync();
    expect((await told)[0].text).toBe("");
    return Date.now() - began;
  };

  expect([await step(), await step(), await step(), await step()]).toEqual([3000, 3000, 0, 0]);
  expect(asked).toHaveLength(4);
  await expect(memory.remember({ content: "It is so." })).rejects.toMatchObject({ code: "store-unreachable" });
  vi.advanceTimersByTime(30_000);
  expect([await step(), await step()]).toEqual([3000, 0]);
  vi.advanceTimersByTime(30_000);
  expect(await step()).toBe(0);
  vi.advanceTimersByTime(30_000);
  const again = memory.recallReport("x");
  port.emit("message", { type: "memory:reply", requestId: asked.at(-1), of: "error", error: { message: "Heard." } });
  expect(await again).toMatchObject({ notes: ["Heard."] });
  expect([await step(), await step(), await step()]).toEqual([3000, 3000, 0]);
});
