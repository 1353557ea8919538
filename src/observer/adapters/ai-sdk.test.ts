import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromAiSdkStep } from "./ai-sdk.js";

const session = { sessionId: "s1" };

describe("a step of the AI SDK", () => {
  it("is told in the order of its content, the step last", () => {
    const step = {
      content: [
        { type: "reasoning", text: "Look first." },
        { type: "text", text: "I read it." },
        { type: "tool-call", toolCallId: "c1", toolName: "readFile", input: { path: "a.ts" } },
        { type: "tool-call", toolCallId: "c2", toolName: "runCommand", input: { command: "npm test" } },
        { type: "tool-result", toolCallId: "c1", toolName: "readFile", input: { path: "a.ts" }, output: "let a" },
        { type: "tool-error", toolCallId: "c2", toolName: "runCommand", input: {}, error: new TypeError("no") },
        { type: "source", url: "https://a.b" },
      ],
      finishReason: "tool-calls",
      usage: { inputTokens: 100, outputTokens: 20, totalTokens: 120 },
    };

    expect(fromAiSdkStep(step, { sessionId: "s1", agentId: "a" })).toEqual([
      { sessionId: "s1", agentId: "a", kind: "reasoning", text: "Look first.", thought: true },
      { sessionId: "s1", agentId: "a", kind: "reasoning", text: "I read it." },
      { sessionId: "s1", agentId: "a", kind: "call", callId: "c1", tool: "readFile", input: { path: "a.ts" } },
      { sessionId: "s1", agentId: "a", kind: "call", callId: "c2", tool: "runCommand", input: { command: "npm test" } },
      {
        sessionId: "s1",
        agentId: "a",
        kind: "result",
        callId: "c1",
        tool: "readFile",
        input: { path: "a.ts" },
        text: "let a",
      },
      {
        sessionId: "s1",
        agentId: "a",
        kind: "result",
        callId: "c2",
        tool: "runCommand",
        text: "TypeError: no",
        isError: true,
      },
      { sessionId: "s1", agentId: "a", kind: "step", inputTokens: 100, outputTokens: 20 },
    ]);
  });

  it("is read from its lists where it has no content, with the names of earlier versions", () => {
    const step = {
      text: "Done.",
      reasoning: [{ type: "text", text: "Hm." }],
      toolCalls: [{ toolCallId: "c1", toolName: "shell", args: '{"command":"ls"}' }],
      toolResults: [{ toolCallId: "c1", toolName: "shell", args: {}, result: { stdout: "a", exitCode: 1 } }],
      usage: { promptTokens: 3, completionTokens: 4 },
    };

    expect(fromAiSdkStep(step, session)).toEqual([
      { sessionId: "s1", kind: "reasoning", text: "Hm.", thought: true },
      { sessionId: "s1", kind: "reasoning", text: "Done." },
      { sessionId: "s1", kind: "call", callId: "c1", tool: "shell", input: { command: "ls" } },
      { sessionId: "s1", kind: "result", callId: "c1", tool: "shell", text: "a", isError: true },
      { sessionId: "s1", kind: "step", inputTokens: 3, outputTokens: 4 },
    ]);
  });

  it("starts a session of the kind that is given, with its first step", () => {
    const typed = { sessionId: "s1", type: "insights" } as const;
    const kinds = (step: unknown, more = {}) => fromAiSdkStep(step, { ...typed, ...more }).map(({ kind }) => kind);

    expect(fromAiSdkStep({ stepNumber: 0 }, typed)[0]).toEqual({
      sessionId: "s1",
      kind: "start",
      agent: "ai-sdk",
      type: "insights",
    });
    expect(kinds({ stepNumber: 1 })).toEqual(["step"]);
    expect(kinds({ stepNumber: 0 }, { agentId: "a" })).toEqual(["step"]);
  });

  it("tells no call twice, and no result before it is whole", () => {
    const call = { type: "tool-call", toolCallId: "c1", toolName: "x", input: {} };
    const result = { type: "tool-result", toolCallId: "c1", toolName: "x", output: "half", preliminary: true };
    const step = {
      content: [call, result, { ...result, output: "all", preliminary: false }],
      toolCalls: [call],
      toolResults: [result],
    };

    expect(fromAiSdkStep(step, session).map(({ kind }) => kind)).toEqual(["call", "result", "step"]);
  });

  it("names a tool that came at run time after its server, whatever it calls itself", () => {
    const call = { type: "tool-call", toolCallId: "c1", toolName: "get_issue", input: {}, dynamic: true };
    const nameOf = (more: object) => fromAiSdkStep({ content: [{ ...call, ...more }] }, session)[0];

    expect(nameOf({ toolMetadata: { clientName: "github" } })).toHaveProperty("tool", "mcp__github__get_issue");
    expect(nameOf({})).toHaveProperty("tool", "mcp__dynamic__get_issue");
    expect(nameOf({ toolName: "mcp__tacit__recall" })).toHaveProperty("tool", "mcp__dynamic__mcp__tacit__recall");
  });

  it("takes a call that no tool was given for one of none, and its answer too", () => {
    const call = { toolCallId: "c1", toolName: "remember", input: {}, dynamic: true };
    const content = [
      { ...call, type: "tool-call", invalid: true },
      { ...call, type: "tool-error", error: "Invalid input" },
    ];

    expect(fromAiSdkStep({ content }, session)).toMatchObject([{ tool: "invalid" }, { tool: "invalid" }, {}]);
  });

  it("is a commit too, where one was made", () => {
    const ran = { toolCallId: "c", toolName: "bash", input: { command: "git commit -m 'A'" } };

    const events = fromAiSdkStep({ content: [{ ...ran, type: "tool-result", output: "[main 1234567] A" }] }, session);

    expect(events[1]).toEqual({ sessionId: "s1", kind: "commit", sha: "1234567", message: "A" });
  });

  it("is a step at least, whatever it is, and never throws", () => {
    const fallen = {
      get content(): never {
        throw new Error("not yet");
      },
    };
    const part = fc.record({
      type: fc.constantFrom("text", "reasoning", "tool-call", "tool-result", "tool-error"),
      text: fc.anything(),
      toolCallId: fc.anything(),
      input: fc.anything({ withBigInt: true }),
      output: fc.anything({ withBigInt: true }),
    });

    expect(fromAiSdkStep(fallen, session)).toEqual([{ sessionId: "s1", kind: "step" }]);
    fc.assert(
      fc.property(fc.oneof(fc.record({ content: fc.array(part), toolCalls: fc.anything() }), fc.anything()), (step) => {
        expect(fromAiSdkStep(step, session).at(-1)).toHaveProperty("kind", "step");
      }),
    );
  });
});
