import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromHook } from "./claude-code-hook.js";

const transcript = "/home/a/.claude/s1.jsonl";
const common = { session_id: "s1", transcript_path: transcript, cwd: "/project" };

describe("what a hook of Claude Code is told", () => {
  it("begins and ends a session", () => {
    expect(fromHook({ ...common, hook_event_name: "SessionStart", source: "startup" })).toEqual([
      { sessionId: "s1", kind: "start", agent: "claude-code", directory: "/project", transcript },
    ]);
    expect(fromHook({ ...common, hook_event_name: "SessionEnd", reason: "prompt_input_exit" })).toEqual([
      { sessionId: "s1", kind: "end", outcome: "unknown", reason: "prompt_input_exit", transcript },
    ]);
  });

  it("begins a session of the kind that is given", () => {
    expect(fromHook({ ...common, hook_event_name: "SessionStart" }, { type: "pr_review" })).toMatchObject([
      { kind: "start", type: "pr_review" },
    ]);
  });

  it("does not begin a session again that was only compacted", () => {
    expect(fromHook({ ...common, hook_event_name: "SessionStart", source: "compact" })).toEqual([]);
    expect(fromHook({ ...common, hook_event_name: "PreCompact", trigger: "auto" })).toEqual([
      { sessionId: "s1", kind: "compacted", transcript },
    ]);
  });

  it("is a prompt, a step, what the agent said last", () => {
    expect(fromHook({ ...common, hook_event_name: "UserPromptSubmit", prompt: "fix auth" })).toEqual([
      { sessionId: "s1", kind: "prompt", text: "fix auth" },
    ]);
    expect(fromHook({ ...common, hook_event_name: "Stop", last_assistant_message: "Done." })).toEqual([
      { sessionId: "s1", kind: "reasoning", text: "Done." },
      { sessionId: "s1", kind: "step" },
    ]);
  });

  it("is a call and its result, of a sub-agent where it names one", () => {
    const use = {
      ...common,
      agent_id: "a1",
      tool_name: "Read",
      tool_input: { file_path: "/p/a.ts" },
      tool_use_id: "t1",
    };
    const tool_response = { type: "text", file: { filePath: "/p/a.ts", content: "let a = 1" } };

    expect(fromHook({ ...use, hook_event_name: "PreToolUse" })).toEqual([
      {
        sessionId: "s1",
        agentId: "a1",
        kind: "call",
        callId: "t1",
        tool: "Read",
        input: { file_path: "/p/a.ts" },
        directory: "/project",
      },
    ]);
    expect(fromHook({ ...use, hook_event_name: "PostToolUse", tool_response, duration_ms: 12 })).toEqual([
      {
        sessionId: "s1",
        agentId: "a1",
        kind: "result",
        callId: "t1",
        tool: "Read",
        input: { file_path: "/p/a.ts" },
        text: "let a = 1",
        durationMs: 12,
        directory: "/project",
      },
    ]);
  });

  it.each<[string, unknown, { text: string; isError?: true }]>([
    ["a text", "ok", { text: "ok" }],
    ["a command's", { stdout: "out", stderr: "err", interrupted: false }, { text: "out\nerr" }],
    ["an interrupted command's", { stdout: "", stderr: "", interrupted: true }, { text: "", isError: true }],
    ["an exit code", "Exit code 2\nboom", { text: "Exit code 2\nboom", isError: true }],
    [
      "an edit's",
      { filePath: "a", oldString: "1", newString: "2", originalFile: "1", structuredPatch: [] },
      { text: "" },
    ],
    ["a written file's", { type: "create", filePath: "a", content: "all", structuredPatch: [] }, { text: "" }],
    ["found files", { filenames: ["a.ts", "b.ts"], numFiles: 2 }, { text: "a.ts\nb.ts" }],
    ["found lines", { mode: "content", filenames: [], content: "a.ts:1:x" }, { text: "a.ts:1:x" }],
    ["a page", { code: 200, codeText: "OK", result: "words", url: "https://a.b" }, { text: "words" }],
    ["no page", { code: 404, codeText: "Not Found", result: "" }, { text: "", isError: true }],
    ["a server's blocks", [{ type: "text", text: "a" }, { type: "image", data: "" }, "b"], { text: "a\n[image]\nb" }],
    ["a server's answer", { content: [{ type: "text", text: "no" }], isError: true }, { text: "no", isError: true }],
    ["a refusal", { success: false, error: "no such file" }, { text: "no such file", isError: true }],
    ["something else", { rows: [1, 2] }, { text: '{"rows":[1,2]}' }],
    ["a number", 7, { text: "7" }],
    ["nothing", undefined, { text: "" }],
  ])("makes a text of every answer: %s", (_, tool_response, result) => {
    const [event] = fromHook({
      ...common,
      hook_event_name: "PostToolUse",
      tool_name: "X",
      tool_response,
      tool_use_id: "t",
    });

    expect(event).toEqual({
      sessionId: "s1",
      kind: "result",
      callId: "t",
      tool: "X",
      directory: "/project",
      ...result,
    });
  });

  it("is a failed result", () => {
    const failure = { ...common, hook_event_name: "PostToolUseFailure", tool_name: "Bash", tool_use_id: "t" };

    expect(fromHook({ ...failure, error: "Exit code 1\nno", is_interrupt: false })).toEqual([
      {
        sessionId: "s1",
        kind: "result",
        callId: "t",
        tool: "Bash",
        text: "Exit code 1\nno",
        isError: true,
        directory: "/project",
      },
    ]);
  });

  it("joins a call to its result where there is no id", () => {
    const use = { ...common, tool_name: "Bash", tool_input: { command: "ls" } };

    const [call] = fromHook({ ...use, hook_event_name: "PreToolUse" });
    const [result] = fromHook({ ...use, hook_event_name: "PostToolUse", tool_response: "a" });
    const [other] = fromHook({ ...use, tool_input: { command: "ls -a" }, hook_event_name: "PreToolUse" });

    expect(call).toHaveProperty("callId", (result as { callId: string }).callId);
    expect(other).not.toHaveProperty("callId", (result as { callId: string }).callId);
  });

  it("is a commit too, where one was made", () => {
    const use = { ...common, tool_name: "Bash", tool_input: { command: "git commit -m 'A'" }, tool_use_id: "t" };

    const events = fromHook({ ...use, hook_event_name: "PostToolUse", tool_response: { stdout: "[main 1234567] A" } });

    expect(events[1]).toEqual({ sessionId: "s1", kind: "commit", sha: "1234567", message: "A" });
  });

  it("tells when a sub-agent begins and ends, to the one above it", () => {
    const child = { ...common, agent_id: "a1", agent_type: "Explore" };

    expect(fromHook({ ...child, hook_event_name: "SubagentStart" })).toEqual([
      { sessionId: "s1", kind: "subagent", state: "started", childId: "a1" },
    ]);
    expect(fromHook({ ...child, hook_event_name: "SubagentStop", last_assistant_message: "Found." })).toEqual([
      { sessionId: "s1", agentId: "a1", kind: "reasoning", text: "Found." },
      { sessionId: "s1", kind: "subagent", state: "ended", childId: "a1" },
    ]);
    expect(fromHook({ ...common, hook_event_name: "SubagentStop" })).toEqual([]);
  });

  it("is nothing where it is unknown", () => {
    expect(fromHook({ ...common, hook_event_name: "Notification", message: "hi" })).toEqual([]);
    expect(fromHook({ hook_event_name: "Stop" })).toEqual([]);
    expect([null, 7, "x", [], undefined].flatMap((input) => fromHook(input))).toEqual([]);
  });

  it("never throws, whatever it is", () => {
    const names = [
      "SessionStart",
      "UserPromptSubmit",
      "PreToolUse",
      "PostToolUse",
      "PostToolUseFailure",
      "SubagentStop",
    ];
    const hooks = fc.record(
      {
        session_id: fc.oneof(fc.constant("s"), fc.anything()),
        hook_event_name: fc.constantFrom(...names),
        tool_name: fc.anything(),
        tool_input: fc.oneof(fc.jsonValue(), fc.anything({ withBigInt: true })),
        tool_response: fc.oneof(fc.jsonValue(), fc.anything({ withBigInt: true })),
        agent_id: fc.anything(),
      },
      { requiredKeys: ["hook_event_name"] },
    );

    fc.assert(
      fc.property(fc.oneof(hooks, fc.anything()), (hook) => {
        for (const event of fromHook(hook)) expect(typeof event.sessionId).toBe("string");
      }),
    );
  });
});
