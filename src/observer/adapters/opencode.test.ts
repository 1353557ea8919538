import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromOpencode, opencodeSession, type OpencodeSeen } from "./opencode.js";

describe("what a plugin of opencode sees", () => {
  it("is a call before a tool runs, and its result after", () => {
    const input = { tool: "bash", sessionID: "s1", callID: "c1" };

    expect(fromOpencode({ hook: "tool.execute.before", input, output: { args: { command: "npm test" } } })).toEqual([
      { sessionId: "s1", kind: "call", callId: "c1", tool: "bash", input: { command: "npm test" } },
    ]);
    expect(
      fromOpencode({
        hook: "tool.execute.after",
        input,
        output: { title: "t", output: "1 failed", metadata: { exit: 1 } },
      }),
    ).toEqual([{ sessionId: "s1", kind: "result", callId: "c1", tool: "bash", text: "1 failed", isError: true }]);
  });

  it("starts a session of the kind that is given", () => {
    const created = { type: "session.created", properties: { info: { id: "s1", directory: "/project" } } };

    expect(fromOpencode(created, undefined, { type: "pr_review" })).toEqual([
      { sessionId: "s1", kind: "start", agent: "opencode", directory: "/project", type: "pr_review" },
    ]);
  });

  it("is a prompt, without what opencode adds to it", () => {
    const parts = [
      { type: "text", text: "fix auth" },
      { type: "text", text: "Called the Read tool", synthetic: true },
      { type: "file", url: "file:///a" },
    ];

    expect(fromOpencode({ hook: "chat.message", input: { sessionID: "s1" }, output: { message: {}, parts } })).toEqual([
      { sessionId: "s1", kind: "prompt", text: "fix auth" },
    ]);
  });

  it("begins with a session's creation and ends with its deletion, not with its silence", () => {
    const info = { id: "s1", directory: "/project", title: "New session", time: { created: 5 } };

    expect(bus("session.created", { info })).toEqual([
      { sessionId: "s1", at: 5, kind: "start", agent: "opencode", directory: "/project" },
    ]);
    expect(bus("session.idle", { sessionID: "s1" })).toEqual([]);
    expect(bus("session.error", { sessionID: "s1", error: { name: "MessageAbortedError" } })).toEqual([]);
    expect(bus("session.deleted", { info })).toEqual([
      { sessionId: "s1", kind: "end", outcome: "unknown", reason: "deleted" },
    ]);
  });

  it("has what the agent said when it is finished", () => {
    const part = { id: "p1", sessionID: "s1", type: "text", text: "Let me", time: { start: 1 } };

    expect(bus("message.part.updated", { part })).toEqual([]);
    expect(bus("message.part.updated", { part: { ...part, text: "Let me see.", time: { start: 1, end: 2 } } })).toEqual(
      [{ sessionId: "s1", at: 2, kind: "reasoning", text: "Let me see." }],
    );
    expect(bus("message.part.updated", { part: { ...part, type: "reasoning", time: { end: 3 } } })).toHaveLength(1);
  });

  it("has the tokens of a step, cached and thought ones too", () => {
    const tokens = { input: 10, output: 5, reasoning: 2, cache: { read: 100, write: 30 } };

    expect(bus("message.part.updated", { part: { id: "p", sessionID: "s1", type: "step-finish", tokens } })).toEqual([
      { sessionId: "s1", kind: "step", inputTokens: 140, outputTokens: 7 },
    ]);
  });

  it("has call and result of a tool from the bus", () => {
    const state = { status: "error", input: { filePath: "a.ts" }, error: "not found", time: { start: 1, end: 9 } };
    const part = { sessionID: "s1", type: "tool", callID: "c1", tool: "read", state };

    expect(bus("message.part.updated", { part })).toEqual([
      { sessionId: "s1", at: 1, kind: "call", callId: "c1", tool: "read", input: { filePath: "a.ts" } },
      {
        sessionId: "s1",
        at: 9,
        kind: "result",
        callId: "c1",
        tool: "read",
        input: { filePath: "a.ts" },
        text: "not found",
        isError: true,
      },
    ]);
    expect(bus("message.part.updated", { part: { ...part, state: { ...state, status: "running" } } })).toEqual([]);
  });

  it("tells once what a hook and the bus both tell", () => {
    const seen: OpencodeSeen = { parents: new Map(), told: new Set() };
    const input = { tool: "read", sessionID: "s1", callID: "c1" };
    const state = { status: "completed", input: {}, output: "x", time: {} };

    const before = fromOpencode({ hook: "tool.execute.before", input, output: { args: {} } }, seen);
    const after = fromOpencode({ hook: "tool.execute.after", input, output: { output: "x" } }, seen);
    const again = bus("message.part.updated", { part: { ...input, type: "tool", state } }, seen);

    expect([before, after, again].map(({ length }) => length)).toEqual([1, 1, 0]);
  });

  it("is compacted when opencode has summed it up, and the summary is no word of the agent", () => {
    const seen: OpencodeSeen = { parents: new Map([["c", "s1"]]), told: new Set() };
    const part = { id: "p1", messageID: "m1", sessionID: "s1", type: "text", text: "They talked.", time: { end: 2 } };

    bus("message.updated", { info: { id: "m1", role: "assistant", summary: true, sessionID: "s1" } }, seen);

    expect(bus("message.part.updated", { part }, seen)).toEqual([]);
    expect(bus("message.part.updated", { part: { ...part, messageID: "m2" } }, seen)).toHaveLength(1);
    expect(bus("session.compacted", { sessionID: "s1" }, seen)).toEqual([{ sessionId: "s1", kind: "compacted" }]);
    expect(opencodeSession("c", seen)).toEqual({ sessionId: "s1", agentId: "c" });
  });

  it("makes a child session an agent of its topmost parent", () => {
    const seen: OpencodeSeen = { parents: new Map(), told: new Set() };
    const before = (sessionID: string) =>
      fromOpencode(
        { hook: "tool.execute.before", input: { tool: "read", sessionID, callID: sessionID }, output: {} },
        seen,
      );

    const child = bus("session.created", { info: { id: "c", parentID: "s1", title: "Explore" } }, seen);
    const grandchild = bus("session.created", { info: { id: "g", parentID: "c" } }, seen);

    expect(child).toEqual([{ sessionId: "s1", kind: "subagent", state: "started", childId: "c", task: "Explore" }]);
    expect(grandchild).toEqual([{ sessionId: "s1", agentId: "c", kind: "subagent", state: "started", childId: "g" }]);
    expect(before("g")[0]).toMatchObject({ sessionId: "s1", agentId: "g" });
    expect(bus("session.idle", { sessionID: "c" }, seen)).toEqual([
      { sessionId: "s1", kind: "subagent", state: "ended", childId: "c" },
    ]);
  });

  it("names a server's tool so that it is seen to be one", () => {
    const toolOf = (tool: string) =>
      fromOpencode({
        hook: "tool.execute.before",
        input: { tool, sessionID: "s", callID: "c" },
        output: { args: {} },
      })[0];

    expect(toolOf("github_get_issue")).toHaveProperty("tool", "mcp__github__get_issue");
    expect(toolOf("apply_patch")).toHaveProperty("tool", "apply_patch");
    expect(toolOf("webfetch")).toHaveProperty("tool", "webfetch");
  });

  it("is a commit too, where one was made", () => {
    const input = { tool: "bash", sessionID: "s1", callID: "c1", args: { command: "git commit -m A" } };

    const events = fromOpencode({ hook: "tool.execute.after", input, output: { output: "[main 1234567] A" } });

    expect(events[1]).toEqual({ sessionId: "s1", kind: "commit", sha: "1234567", message: "A" });
  });

  it("never throws and holds little, whatever comes", () => {
    const part = fc.record({
      type: fc.constantFrom("text", "reasoning", "step-finish", "tool"),
      sessionID: fc.constantFrom("a", "b", 7),
      callID: fc.anything(),
      state: fc.oneof(fc.record({ status: fc.constant("completed"), output: fc.anything() }), fc.anything()),
      time: fc.anything(),
      tokens: fc.anything(),
    });
    const created = fc.record({
      id: fc.constantFrom("a", "b", "c"),
      parentID: fc.constantFrom("a", "b", "c", undefined),
    });
    const events = fc.oneof(
      fc.record({ type: fc.constant("message.part.updated"), properties: fc.record({ part }) }),
      fc.record({ type: fc.constant("session.created"), properties: fc.record({ info: created }) }),
      fc.record({
        hook: fc.constantFrom("chat.message", "tool.execute.after"),
        input: fc.anything(),
        output: fc.anything(),
      }),
      fc.anything(),
    );
    const seen: OpencodeSeen = { parents: new Map(), told: new Set() };

    fc.assert(
      fc.property(events, (event) => {
        for (const { sessionId } of fromOpencode(event, seen)) expect(typeof sessionId).toBe("string");
      }),
    );
    for (let index = 0; index < 10_100; index += 1)
      bus("session.created", { info: { id: `x${index}`, parentID: "s" } }, seen);
    expect(seen.parents.size).toBeLessThanOrEqual(10_000);
  });
});

function bus(type: string, properties: Record<string, unknown>, seen?: OpencodeSeen) {
  return fromOpencode({ type, properties }, seen);
}
