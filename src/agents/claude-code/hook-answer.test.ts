import { describe, expect, it } from "vitest";
import { blockingAnswer, injectionAnswer } from "./hook-answer.js";

describe("tellingAnswer", () => {
  it("hands a text on to the agent, beginning in a line of its own, and says nothing for none", () => {
    expect(JSON.parse(injectionAnswer("PostToolUse", "<block>\n| a\n</block>") ?? "")).toEqual({
      hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "\n<block>\n| a\n</block>" },
    });
    expect(injectionAnswer("PostToolUse", "")).toBeUndefined();
  });

  it("stays below what Claude Code cuts off, and keeps the line that closes the quotation", () => {
    const lines = ["<block>", ...Array.from({ length: 400 }, (_, index) => `| ${index} ${"x".repeat(60)}`), "</block>"];

    const context = told(injectionAnswer("SessionStart", lines.join("\n")));

    expect(context.length).toBeLessThan(9100);
    expect(context.length).toBeGreaterThan(8900);
    expect(context.startsWith("\n<block>\n| 0 ")).toBe(true);
    expect(context.endsWith("\n</block>")).toBe(true);
  });
});

describe("blockingAnswer", () => {
  it("stops the prompt and gives the person the reason", () => {
    expect(JSON.parse(blockingAnswer("Two wait."))).toEqual({ decision: "block", reason: "Two wait." });
  });
});

function told(answer: string | undefined): string {
  const { hookSpecificOutput } = JSON.parse(answer ?? "{}") as { hookSpecificOutput: { additionalContext: string } };
  return hookSpecificOutput.additionalContext;
}
