import { describe, expect, it } from "vitest";
import { withOwnTranscript } from "./own-transcript.js";

const hook = { CLAUDECODE: "1", CLAUDE_PROJECT_DIR: "/project", AI_AGENT: "claude-code_2-1-325_harness" };
const call = { CLAUDECODE: "1", AI_AGENT: "claude-code_2-1-325_agent", CLAUDE_CODE_EXECPATH: "/bin/claude" };
const end = { session_id: "s1", hook_event_name: "SessionEnd", transcript_path: "/home/ada/s1.jsonl" };

describe("withOwnTranscript", () => {
  it("leaves a hook as it is that a person's Claude Code runs", () => {
    expect(withOwnTranscript(end, () => [hook, {}])).toBe(end);
  });

  it("takes the transcript away from one that an agent runs, or whose Claude Code it runs", () => {
    expect(withOwnTranscript(end, () => [call, hook])).toEqual({ session_id: "s1", hook_event_name: "SessionEnd" });
    expect(withOwnTranscript(end, () => [hook, call])).not.toHaveProperty("transcript_path");
  });

  it("does not look around at a call of a tool, nor for what is no document", () => {
    const use = { ...end, hook_event_name: "PreToolUse" };
    const looks = () => {
      throw new Error("it looked");
    };

    expect(withOwnTranscript(use, looks)).toBe(use);
    expect(withOwnTranscript("text", looks)).toBe("text");
  });
});
