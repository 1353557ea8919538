import { describe, expect, it } from "vitest";
import { queryKindOf, pathWeights } from "./query-kind.js";

describe("the kind of a question", () => {
  it.each(["where is getUserById called?", "max_retry_count", "src/billing/invoice.ts", "config.json", "close()"])(
    "is by an identifier in %j",
    (question) => {
      expect(queryKindOf(question)).toBe("identifier");
      expect(queryKindOf(question, ["impact_analysis"])).toBe("identifier");
    },
  );

  it.each([
    "How do we deploy?",
    "why is it slow. Since when? (Friday)",
    "the tests of Dr. Who",
    "does GitHub run on an iPad?",
    "is it read/write?",
    "数据库",
    "",
  ])("is by what is meant in %j", (question) => {
    expect(queryKindOf(question)).toBe("semantic");
  });

  it("is by the structure of the code after a tool that analyses it", () => {
    expect(queryKindOf("what breaks when this changes?", ["mcp__graph__impact_analysis"])).toBe("structural");
    expect(queryKindOf("what breaks when this changes?", ["find_callers", "Read"])).toBe("structural");
    expect(queryKindOf("what breaks when this changes?", ["Read", "Bash"])).toBe("semantic");
  });

  it("decides how much each path counts, all of them together 1", () => {
    for (const { words, meaning, code } of Object.values(pathWeights)) expect(words + meaning + code).toBeCloseTo(1);
    expect(pathWeights.identifier.words).toBeGreaterThan(pathWeights.semantic.words);
    expect(pathWeights.structural.code).toBeGreaterThan(pathWeights.semantic.code);
  });
});
