import { describe, expect, it } from "vitest";
import type { Action, SpokenSaying } from "./session-view.js";
import { beginTry, splitTry, type Try } from "./try.js";

describe("a try that loses some of its edits", () => {
  it("stays whole where no check had failed after them", () => {
    const whole = tryOf([edit(1, "a.ts"), edit(3, "b.ts")], [failure(2, "E")]);

    expect(splitTry(whole, whole.edits.slice(1))).toBeUndefined();
    expect(whole.edits).toHaveLength(2);
  });

  it("gives them away with their files and with what failed, passed and was said after them", () => {
    const whole = tryOf([edit(1, "a.ts"), edit(3, "b.ts")], [failure(2, "E"), failure(4, "F")]);
    whole.sayings = [saying(0), saying(2)];
    whole.passed = edit(6, "");

    const part = splitTry(whole, whole.edits.slice(1));

    expect(part).toMatchObject({ errorBefore: "E", passed: { order: 6 }, timesReverted: 0 });
    expect([...(part?.files ?? [])]).toEqual(["b.ts"]);
    expect(part?.failures.map(({ order }) => order)).toEqual([4]);
    expect(part?.sayings.map(({ order }) => order)).toEqual([2]);
    expect([...(part?.returned ?? [])]).toEqual([["F", 1]]);
    expect([...whole.files]).toEqual(["a.ts"]);
    expect(whole.failures).toHaveLength(2);
  });

  it("was not given up itself, where they were", () => {
    const whole = tryOf([edit(1, "a.ts"), edit(2, "b.ts")], [failure(3, "E")]);
    whole.givenUp = saying(4);

    const part = splitTry(whole, whole.edits.slice(1));

    expect(part?.givenUp?.order).toBe(4);
    expect(whole.givenUp).toBeUndefined();
  });
});

function tryOf(edits: Action[], failures: Action[]): Try {
  const files = new Set(edits.flatMap((one) => one.files ?? []));
  return { ...beginTry(undefined), edits, failures, files };
}

function edit(order: number, file: string): Action {
  return { order, at: order, step: order, tool: "Edit", does: "edit", files: [file] };
}

function failure(order: number, fingerprint: string): Action {
  const error = { fingerprint, message: "It broke.", kind: "Error" };
  return { order, at: order, step: order, tool: "Bash", does: "run", failed: true, error };
}

function saying(order: number): SpokenSaying {
  return { order, at: order, step: order, is: "plan", text: "I'll try." };
}
