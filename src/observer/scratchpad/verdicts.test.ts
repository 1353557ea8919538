import { describe, expect, it } from "vitest";
import { padOf, type Told } from "../../../test/support/pad-of.js";
import type { Note, Outcome } from "../observer.js";
import type { Action, Scratchpad } from "./session-view.js";
import { findOutcome, isVerification, verdictOf } from "./verdicts.js";

describe("a verification", () => {
  it("is a run of tests, a build or a check", () => {
    const [test, build, check, look, read] = padOf({
      actions: [runs("test"), runs("build"), runs("check"), runs("look"), { does: "read", files: ["a.test.ts"] }],
    }).actions;

    expect([test, build, check, look, read].map((action) => isVerification(action as Action))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it("failed where it says so in any way, and has no verdict before it ended", () => {
    const error = { fingerprint: "f", message: "", kind: "exit 1" };
    const { actions } = padOf({
      actions: [
        runs("test"),
        { ...runs("test"), failed: true },
        { ...runs("test"), error },
        { ...runs("test"), tests: { passed: 3, failed: 1 } },
        { ...runs("test"), tests: { passed: 3, failed: 0 } },
      ],
    });

    expect(verdictOf({ ...(actions[0] as Action), pending: true })).toBeUndefined();
    expect(verdictOf({ ...(actions[1] as Action), pending: true })).toBe("failed");
    expect(actions.map(verdictOf)).toEqual(["passed", "failed", "failed", "failed", "passed"]);
    expect(verdictOf({ order: 0, at: 0, step: 0, tool: "Bash", does: "run" })).toBeUndefined();
  });
});

describe("the outcome of a session", () => {
  it.each<Outcome>(["success", "failure", "abandoned"])("is what the agent says: %s", (outcome) => {
    expect(findOutcome([padOf({ actions: [failed()], notes: [end(outcome)] })])).toBe(outcome);
  });

  it("is a success where nothing speaks against it", () => {
    expect(findOutcome([])).toBe("success");
    expect(findOutcome([padOf({ actions: [{ does: "read" }], notes: [end("unknown")] })])).toBe("success");
    expect(findOutcome([padOf({ actions: [failed(), { does: "edit" }, runs("test")] })])).toBe("success");
  });

  it("is a failure when the last check of the main agent failed", () => {
    const main = padOf({ actions: [runs("build"), failed(), { does: "edit" }], notes: [end("unknown")] });

    expect(findOutcome([main])).toBe("failure");
    expect(findOutcome([padOf({ agentId: "child", actions: [runs("test")] }), main])).toBe("failure");
  });

  it("is a success when another agent or a quality report passed later, or only another agent failed", () => {
    const main = padOf({ actions: [failed()] });
    const laterPass = padOf({ agentId: "child", actions: [{ does: "read" }, { does: "read" }, runs("test")] });

    expect(findOutcome([main, laterPass])).toBe("success");
    expect(findOutcome([withQa({ actions: [failed()] }, true)])).toBe("success");
    expect(findOutcome([padOf({ actions: [runs("test")] }), padOf({ agentId: "child", actions: [failed()] })])).toBe(
      "success",
    );
  });

  it("is a failure when the last quality report failed", () => {
    expect(findOutcome([withQa({ actions: [runs("test")] }, true, false)])).toBe("failure");
    expect(findOutcome([withQa({ actions: [runs("test")] }, false, true)])).toBe("success");
  });
});

function runs(purpose: NonNullable<Action["command"]>["purpose"]): Partial<Action> {
  return { does: "run", command: { line: "npm test", name: "npm test", purpose } };
}

function failed(): Partial<Action> {
  return { ...runs("test"), failed: true };
}

function end(outcome: Outcome): Note {
  return { kind: "end", at: 0, outcome };
}

function withQa(told: Told, ...passed: boolean[]): Scratchpad {
  const at = Date.parse("2026-11-02T10:00:00Z");
  return padOf({
    ...told,
    notes: passed.map((one, index): Note => ({ kind: "qa", at: at + index, passed: one, issues: [] })),
  });
}
