import { anything, assert, constantFrom, property, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { hookMoment } from "./hook-moment.js";

const root = "/project";
const reads = ["CLAUDE.md", ".claude/CLAUDE.md"];

describe("hookMoment", () => {
  it("is the start of a session, which may go on from before", () => {
    expect(["startup", "clear", "resume", "compact"].map((source) => at("SessionStart", { source }))).toEqual([
      { sessionId: "s1", point: "session-start", reads },
      { sessionId: "s1", point: "session-start", reads },
      { sessionId: "s1", point: "session-start", reads, continues: "resumed" },
      { sessionId: "s1", point: "session-start", reads, continues: "compacted" },
    ]);
  });

  it("is a prompt, with names of files only", () => {
    expect(at("UserPromptSubmit", { prompt: "Mend it." })).toEqual({
      sessionId: "s1",
      point: "prompt",
      prompt: "Mend it.",
      prefetch: "names",
      reads,
    });
  });

  it("is the reading of a file, by whichever tool, and by whichever agent", () => {
    const read = { sessionId: "s1", point: "file-read", files: ["src/http.ts"] };

    expect(after("Read", { file_path: "/project/src/http.ts" })).toEqual(read);
    expect(after("Bash", { command: "cat src/http.ts" })).toEqual(read);
    expect(after("Bash", { command: "cat http.ts" }, { cwd: "/project/src" })).toEqual(read);
    expect(after("Read", { file_path: "src/http.ts" }, { agent_id: "a1" })).toEqual({ ...read, agentId: "a1" });
  });

  it("is a step after any other tool, with what was changed or searched for", () => {
    const step = { sessionId: "s1", point: "step" };

    expect(after("Edit", { file_path: "/project/a.ts", old_string: "a", new_string: "b" })).toEqual({
      ...step,
      touched: ["a.ts"],
    });
    expect(after("NotebookEdit", { notebook_path: "/project/a.ipynb" })).toEqual({ ...step, touched: ["a.ipynb"] });
    expect(after("Grep", { pattern: "retry" })).toEqual({ ...step, searches: ["retry"] });
    expect(after("Bash", { command: "rg -n 'max retries' src" })).toEqual({ ...step, searches: ["max retries"] });
    expect(after("Bash", { command: "npm test" })).toEqual(step);
  });

  it.each(["PreToolUse", "PostToolUseFailure", "PreCompact", "SubagentStop", "Stop", "SessionEnd", "Other"])(
    "is none at %s",
    (event) => {
      expect(at(event, { tool_name: "Read", tool_input: { file_path: "a.ts" }, prompt: "Go." })).toBeUndefined();
    },
  );

  it("minds no document", () => {
    const event = constantFrom("SessionStart", "UserPromptSubmit", "PostToolUse");
    const odd = record({
      session_id: constantFrom("s", 1),
      hook_event_name: event,
      prompt: anything(),
      cwd: anything(),
    });

    assert(property(anything(), (document) => void hookMoment(document, root)));
    assert(
      property(odd, anything(), anything(), (hook, tool_name, tool_input) => {
        hookMoment({ ...hook, tool_name, tool_input }, root);
      }),
    );
  });
});

function at(event: string, fields: Record<string, unknown> = {}) {
  return hookMoment({ session_id: "s1", cwd: root, hook_event_name: event, ...fields }, root);
}

function after(tool: string, input: Record<string, unknown>, fields: Record<string, unknown> = {}) {
  return at("PostToolUse", { tool_name: tool, tool_input: input, ...fields });
}
