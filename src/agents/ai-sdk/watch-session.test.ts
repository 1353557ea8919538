import { expect, it } from "vitest";
import { resultOf } from "../../observer/notes/result-of.js";
import { callOf } from "../../hook/hook.js";
import type { AgentEvent } from "../../observe.js";
import type { AgentMemory } from "../agent-memory.js";
import { memoryMiddleware } from "./memory-middleware.js";
import { reachMemory } from "./reach-memory.js";
import { watchSession } from "./watch-session.js";
import { withMemory } from "./with-memory.js";

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

it("[F4] tells the tools of Tacit as such, whatever they are called, and no other of such a name", () => {
  const { memory } = watched();
  const watch = watchSession(memory, { sessionId: "s1", directory: "/work" });
  const ownTools = new Set(["recall", "notes"]);
  const toolsOf = (...calls: [toolName: string, input?: object, more?: object][]) => {
    const content = calls.map(([toolName, input = {}, more = {}], n) => ({
      type: "tool-call",
      toolCallId: String(n),
      toolName,
      input,
      ...more,
    }));
    return watch.step({ content, usage: {} }, ownTools).flatMap((event) => (event.kind === "call" ? [event] : []));
  };
  const isOutside = (call: ReturnType<typeof toolsOf>[number]) =>
    callOf(call, { root: "/work" }).outside !== undefined ||
    (!call.own &&
      resultOf({ text: "Some words." }, callOf(call, { root: "/work" }), { root: "/work" }).answer !== undefined);

  const own = toolsOf(
    ["recall", { query: "x" }],
    ["notes", { command: "view", path: "/memories" }],
    ["notes", { command: "create", path: "/memories/a" }],
  );
  const others = toolsOf(
    ...["remember", "add_memory", "ask_question", "agent_search", "get_task", "mcp__tacit__recall"].map(
      (name): [string] => [name],
    ),
    ["mcp__tacit__recall", {}, { dynamic: true }],
    ["recall_all", {}, { dynamic: true, toolMetadata: { clientName: "tacit" } }],
    ["file_search", { query: "x" }, { providerExecuted: true }],
  );
  const harmless = toolsOf(
    ["think", { thought: "x" }],
    ["read", { path: "a.ts" }],
    ["remember", {}, { dynamic: true, invalid: true }],
  );

  expect(own.map(({ tool }) => tool)).toEqual(["mcp__tacit__recall", "mcp__tacit__recall", "mcp__tacit__remember"]);
  expect(own.filter(isOutside)).toEqual([]);
  expect(others.filter((call) => !isOutside(call))).toEqual([]);
  expect(harmless.filter(isOutside)).toEqual([]);
});

it("[F4] tells of what the provider runs before the step is over, and then not again", () => {
  const { events, memory } = watched();
  const watch = watchSession(memory, { sessionId: "s1", directory: "/work" });
  const call = { toolCallId: "c1", toolName: "web_search", input: { query: "x" } };
  const parts = [
    { ...call, type: "tool-call", providerExecuted: true },
    { ...call, type: "tool-result", output: "y", providerExecuted: true },
  ];

  watch.called(call);
  watch.step({ content: parts, usage: {} });

  return memory.opened.then(() => expect(events.map(({ kind }) => kind)).toEqual(["start", "call", "result", "step"]));
});

it("[F1] begins where the memory was opened, unless the program says where, or nobody knows", async () => {
  const starts: AgentEvent[] = [];
  for (const [opened, directory] of [["/opened"], ["/opened", "/said"], []]) {
    const { events, memory } = watched(opened);
    watchSession(memory, { sessionId: "s1", directory }).prompt("Go.");
    await memory.opened;
    starts.push(...events.slice(0, 1));
  }

  const start = { sessionId: "s1", kind: "start", agent: "ai-sdk" };
  expect(starts).toEqual([{ ...start, directory: "/opened" }, { ...start, directory: "/said" }, start]);
  for (const none of [undefined, {}, { memory: {} }] as never[]) {
    for (const make of [withMemory, memoryMiddleware]) {
      expect(() => make(none)).toThrow("memory must be an open memory, or a promise of one.");
    }
  }
});

function watched(directory?: string) {
  const events: AgentEvent[] = [];
  const observe: AgentMemory["observe"] = (event) => void events.push(event);
  const unasked = async () => Promise.reject(new Error("not asked here"));
  const verbs = { observe, inject: unasked, recallReport: unasked, remember: unasked, as: () => verbs };
  return { events, memory: reachMemory({ ...verbs, ...(directory !== undefined && { directory }) }) };
}
