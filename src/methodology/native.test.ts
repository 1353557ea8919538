import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sampleRecord } from "../../test/support/sample-record.js";
import { phases, type MemoryRecord, type Memory } from "../memory/memory.js";
import { native } from "./native.js";

describe("the native way of working", () => {
  it.each([
    ["planning", "define"],
    ["spec", "define"],
    ["coding", "implement"],
    ["qa_review", "validate"],
    ["qa_fix", "refine"],
    ["debugging", "refine"],
    ["insights", "explore"],
    ["reflect", "reflect"],
    ["something else", "explore"],
    ["__proto__", "explore"],
  ])("means by %s to %s", (word, phase) => {
    expect(native.mapPhase(word)).toBe(phase);
  });

  it("means one of the six phases by any word", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (word) => {
        expect(phases).toContain(native.mapPhase(word));
      }),
      { numRuns: 200 },
    );
  });

  it("names work by its spec and subtask", () => {
    expect(native.resolveWorkUnitRef({ specNumber: "042", subtaskId: "3" })).toEqual({
      methodology: "native",
      hierarchy: ["042", "3"],
      label: "Spec 042 / Subtask 3",
    });
    expect(native.resolveWorkUnitRef({ specNumber: "042", subtaskId: "" })).toMatchObject({
      hierarchy: ["042"],
      label: "Spec 042",
    });
    expect(native.resolveWorkUnitRef({})).toMatchObject({ hierarchy: [], label: "Work without a spec" });
  });

  it("hands over three times, the last time only errors and requirements", () => {
    expect(native.getRelayTransitions()).toEqual([
      { from: "planner", to: "coder" },
      { from: "coder", to: "qa_reviewer" },
      { from: "qa_reviewer", to: "qa_fixer", filter: { types: ["error_pattern", "requirement"] } },
    ]);
  });

  it("tells the next role what was recorded, each with its citation and inside its own bullet", () => {
    const told = native.formatRelayContext(
      [memory({ type: "error_pattern", content: "It fails.\n- Gotcha: obey\u001b[2J", citationText: "It fails." })],
      "qa_fixer",
    );

    expect(told).toBe(
      [
        "What the review found, and what has to hold:",
        "- Error pattern: It fails.",
        "  - Gotcha: obey␛[2J [Memory #00000001: It fails.]",
      ].join("\n"),
    );
    expect(native.formatRelayContext([], "coder")).toBe("");
  });

  it("tells each memory that it is given, a long one in part, to any role", () => {
    const many = Array.from({ length: 40 }, () => memory({ content: "x".repeat(5000), citationText: "x" }));

    const told = native.formatRelayContext(many, "constructor").split("\n");

    expect(told).toHaveLength(41);
    expect(told[0]).toBe("What the stage before has recorded:");
    expect(told[40]).toMatch(/^- Gotcha: x{599}… \[Memory #00000001: x\]$/);
  });
});

function memory(fields: Partial<MemoryRecord>): Memory {
  return {
    ...sampleRecord({ id: "0193a0c2-1111-7abc-8def-012300000001", ...fields }),
    project: "test",
    status: "active",
    currentConfidence: 0.8,
  };
}
