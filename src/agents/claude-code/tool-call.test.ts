import { describe, expect, it } from "vitest";
import { isOfToolCall, startedWith } from "./tool-call.js";

const terminal = { HOME: "/home/ada", TERM: "xterm" };
const hook = { CLAUDECODE: "1", CLAUDE_PROJECT_DIR: "/project", AI_AGENT: "claude-code_2-1-325_harness" };
const call = { CLAUDECODE: "1", AI_AGENT: "claude-code_2-1-325_agent", CLAUDE_CODE_EXECPATH: "/bin/claude" };

describe("isOfToolCall", () => {
  it("says no of a hook, also of one that a shell runs, and of one of an older version", () => {
    expect(isOfToolCall([hook, terminal, terminal])).toBe(false);
    expect(isOfToolCall([hook, hook, terminal])).toBe(false);
    expect(isOfToolCall([{ CLAUDE_PROJECT_DIR: "/project" }, terminal])).toBe(false);
  });

  it.each([
    ["a hook that an agent runs", [call, call, terminal]],
    ["one that it gives the folder", [{ ...call, CLAUDE_PROJECT_DIR: "/project" }, call, terminal]],
    ["one that it hides all of it from", [{ CLAUDE_PROJECT_DIR: "/project" }, call, terminal]],
    ["a hook of a Claude Code that an agent runs", [{ ...call, ...hook }, call, call, terminal]],
    ["one of which it hides what it is", [hook, terminal, { CLAUDECODE: "1" }, terminal]],
    ["one that an agent runs below a hook", [call, hook]],
    ["a hook below a call of a tool", [hook, call]],
    ["what nobody can be seen behind", [terminal]],
    ["nothing", []],
  ])("says yes of %s", (_, environments) => {
    expect(isOfToolCall(environments)).toBe(true);
  });
});

it("startedWith finds the processes that this one comes from", ({ skip }) => {
  skip(process.platform !== "linux", "only Linux tells what a process was started with");
  const [own, ...before] = startedWith();

  expect(own).toBe(process.env);
  expect(before.length).toBeGreaterThan(0);
  expect(before[0]).toHaveProperty("PATH");
});
