import { once } from "node:events";
import { MessageChannel } from "node:worker_threads";
import { expect, it } from "vitest";
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
