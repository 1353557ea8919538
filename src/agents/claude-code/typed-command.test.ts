import { describe, expect, it } from "vitest";
import { typedCommand } from "./typed-command.js";

describe("typedCommand", () => {
  it("is what a person typed behind the command, in all its lines", () => {
    expect(typed("/tacit:remember  Use pnpm.\nNever npm. ")).toEqual({
      name: "remember",
      text: "Use pnpm.\nNever npm.",
      line: "/tacit:remember  Use pnpm.\nNever npm. ",
    });
    expect(typed("/tacit:memory-review")).toEqual({ name: "memory-review", line: "/tacit:memory-review" });
  });

  it.each([
    "/tacit:remember",
    "/tacit:remember   ",
    "/remember x",
    "Say /tacit:remember x",
    "/tacit:recall x",
    1,
    null,
  ])("is none for %j", (prompt) => {
    expect(typed(prompt)).toBeUndefined();
  });

  it("is none where a sub-agent or another event says it", () => {
    expect(typed("/tacit:remember x", { agent_id: "a1" })).toBeUndefined();
    expect(typed("/tacit:remember x", { hook_event_name: "PostToolUse" })).toBeUndefined();
  });
});

function typed(prompt: unknown, fields: Record<string, unknown> = {}) {
  return typedCommand({ session_id: "s1", hook_event_name: "UserPromptSubmit", prompt, ...fields });
}
