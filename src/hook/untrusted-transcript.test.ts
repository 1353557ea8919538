import { describe, expect, it } from "vitest";
import { readEvents } from "./observe-once.js";

const end = { session_id: "s1", hook_event_name: "SessionEnd", transcript_path: "/home/ada/s1.jsonl" };
const ended = { sessionId: "s1", kind: "end", outcome: "unknown" };

describe("the transcript that a hook names", () => {
  it("stays where a person's agent runs the hook", async () => {
    expect(await readEvents("claude-code", end, { isByAgent: () => false })).toEqual([
      { ...ended, transcript: "/home/ada/s1.jsonl" },
    ]);
  });

  it.each(["SessionStart", "PreCompact", "SessionEnd"])(
    "is taken away from a %s where another agent is behind it",
    async (name) => {
      const [event] = await readEvents("claude-code", { ...end, hook_event_name: name }, { isByAgent: () => true });

      expect(event).toMatchObject({ sessionId: "s1" });
      expect(event).not.toHaveProperty("transcript");
    },
  );

  it("is no reason to look around at a call of a tool, nor for what is no document", async () => {
    const isByAgent = () => {
      throw new Error("it looked");
    };

    expect(await readEvents("claude-code", { ...end, hook_event_name: "PreToolUse" }, { isByAgent })).toHaveLength(1);
    expect(await readEvents("claude-code", "text", { isByAgent })).toEqual([]);
  });
});
