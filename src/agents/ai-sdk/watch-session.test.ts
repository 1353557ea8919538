import { expect, it } from "vitest";
import type { AgentEvent } from "../../observe-agents.js";
import type { AgentMemory } from "../agent-memory.js";
import { reachMemory } from "./reach-memory.js";
import { watchSession } from "./watch-session.js";

it("begins and ends a session once, and sees each step once", async () => {
  const { events, memory } = watched();
  const watch = watchSession(memory, { sessionId: "s1", directory: "/work", type: "build" });
  const step = { content: [{ type: "text", text: "Done." }], usage: {} };

  watch.prompt("Go.");
  for (const one of [step, step, undefined]) watch.step(one);
  await watch.end("success");
  await watch.end();

  expect(watch.steps()).toBe(1);
  expect(events).toEqual([
    { sessionId: "s1", kind: "start", agent: "ai-sdk", directory: "/work", type: "build" },
    { sessionId: "s1", kind: "prompt", text: "Go." },
    { sessionId: "s1", kind: "reasoning", text: "Done." },
    { sessionId: "s1", kind: "step" },
    { sessionId: "s1", kind: "end", outcome: "success" },
  ]);
});

it("takes an agent of several for a part of its session, which it neither begins nor ends", async () => {
  const { events, memory } = watched();
  const watch = watchSession(memory, { sessionId: "s1", agentId: "a1", directory: "/work" });

  watch.prompt("Look around.");
  watch.step({ content: [], usage: {} });
  await watch.end("success");
  await memory.opened;

  expect(events).toEqual([
    { sessionId: "s1", kind: "subagent", state: "started", childId: "a1", task: "Look around." },
    { sessionId: "s1", agentId: "a1", kind: "step" },
    { sessionId: "s1", kind: "subagent", state: "ended", childId: "a1" },
  ]);
});

it("tells the tools of Tacit as such, whatever they are called, and no other of their name", () => {
  const { memory } = watched();
  const watch = watchSession(memory, { sessionId: "s1", directory: "/work" });
  const calls = [
    ["recall", { query: "x" }],
    ["notes", { command: "view", path: "/memories" }],
    ["notes", { command: "create", path: "/memories/a" }],
    ["remember", { content: "x" }],
  ].map(([toolName, input], n) => ({ type: "tool-call", toolCallId: String(n), toolName, input }));

  const seen = watch.step({ content: calls, usage: {} }, new Set(["recall", "notes"]));

  const tools = seen.flatMap((event) => (event.kind === "call" ? [event.tool] : []));
  expect(tools).toEqual(["mcp__tacit__recall", "mcp__tacit__recall", "mcp__tacit__remember", "remember"]);
});

function watched() {
  const events: AgentEvent[] = [];
  const observe: AgentMemory["observe"] = (event) => void events.push(event);
  const unasked = async () => Promise.reject(new Error("not asked here"));
  return { events, memory: reachMemory({ observe, inject: unasked, recallReport: unasked, remember: unasked }) };
}
