import { describe, expect, it } from "vitest";
import { edited, ran } from "../../../test/support/acts.js";
import { aroundOf, learn, padOf, type Told } from "../../../test/support/pad-of.js";
import { taskCalibration } from "../../memory/type-registry/memory-data.js";
import type { Action } from "../scratchpad/session-view.js";
import { signalValue } from "./signal.js";
import { testOrder } from "./test-order.js";

const change = edited("src/auth/login.ts");
const red = ran("npm test", { purpose: "test", failed: true });
const green = ran("npm test", { purpose: "test" });
const typesFail = ran("npm run typecheck", { purpose: "check", failed: true });
const typesPass = ran("npm run typecheck", { purpose: "check" });
const late = [change, red, typesFail, change, typesPass, green];

describe("a check that is run too late", () => {
  it("is to be run before the tests", () => {
    const [draft, ...others] = learn(testOrder, times(3, late));

    expect(others).toEqual([]);
    expect(draft).toMatchObject({
      type: "task_calibration",
      content:
        "Changes in `src/auth` take about 4 runs until `npm test` passes. Run `npm run typecheck` before it: that fails on the same mistakes and tells sooner.",
      relatedModules: ["src/auth"],
    });
    expect(taskCalibration.parse(draft?.data)).toEqual({
      module: "src/auth",
      methodology: "none",
      averageActualSteps: 4,
      averagePlannedSteps: 1,
      ratio: 4,
      sampleCount: 3,
      runFirst: "npm run typecheck",
      runThen: "npm test",
    });
    expect(signalValue(testOrder)).toBe(0.74);
  });

  it("may be one file of the tests", () => {
    const actions = [change, red, narrow(true), change, narrow(false), green];

    expect(learn(testOrder, times(3, actions))[0]?.content).toContain(
      "Run `npm test src/auth/login.test.ts` before it",
    );
  });

  it("is told as it was typed, without what was done with its output", () => {
    const types = (line: string, failed: boolean) =>
      ran(line, { command: { line, name: "tsc", purpose: "check" }, failed });
    const lines = ["npx tsc --noEmit", "npx tsc --noEmit 2>&1 | head -20", "cd web && npx tsc --noEmit || true"];
    const sessions = lines.map((line) => ({
      actions: [change, red, types(line, true), change, types(line, false), green],
    }));

    expect(learn(testOrder, sessions)[0]).toMatchObject({
      content: expect.stringContaining("Run `npx tsc --noEmit` before it"),
      data: { runFirst: "npx tsc --noEmit" },
    });
  });

  it("is told by its name where it was typed differently", () => {
    const lint = (file: string, failed: boolean) =>
      ran("eslint", { command: { line: `npx eslint ${file}`, name: "eslint", purpose: "check" }, failed });
    const sessions = ["a.ts", "b.ts", "c.ts"].map((file) => ({
      actions: [change, red, lint(file, true), change, lint(file, false), green],
    }));

    expect(learn(testOrder, sessions)[0]?.data).toMatchObject({ runFirst: "eslint" });
  });

  it("rests on the tests that failed and passed, and on the check", () => {
    const pad = padOf({ actions: late });

    expect(testOrder.detect(pad, aroundOf(pad))).toMatchObject([
      {
        subject: "src/auth: npm run typecheck → npm test",
        orders: [1, 2, 4, 5],
        evidence: [
          { did: "ran `npm test`, which failed" },
          { did: "ran `npm run typecheck`, which failed" },
          { did: "ran `npm run typecheck`" },
          { did: "ran `npm test`" },
        ],
      },
    ]);
  });

  it("is less sure where it is rare in the module", () => {
    const quiet = times(10, [change, green]);

    expect(learn(testOrder, [...quiet, ...times(3, late)])[0]?.confidenceOffset).toBe(-0.1);
  });

  it.each([
    ["after two sessions", [] as Partial<Action>[][]],
    ["tests that fail and are mended", times(4, [change, red, change, green]).map(({ actions = [] }) => actions)],
  ])("is not %s", (_, sessions) => {
    const two = sessions.length === 0 ? times(2, late) : sessions.map((actions) => ({ actions }));

    expect(learn(testOrder, two)).toEqual([]);
  });

  it("is not one that passes while the tests fail", () => {
    expect(learn(testOrder, times(4, [change, red, typesPass, change, typesPass, green]))).toEqual([]);
  });

  it("is not one that is run first anyway", () => {
    expect(learn(testOrder, times(4, [change, typesFail, change, typesPass, red, change, green]))).toEqual([]);
    expect(learn(testOrder, times(4, [change, typesFail, red, typesFail, change, typesPass, green]))).toEqual([]);
  });

  it("is not one that fails because of the mending", () => {
    expect(learn(testOrder, times(4, [change, red, change, typesFail, change, typesPass, green]))).toEqual([]);
  });

  it("is not one that stays red, nor one of tests that do", () => {
    expect(learn(testOrder, times(4, [change, red, typesFail, change, typesPass, red]))).toEqual([]);
    expect(learn(testOrder, times(4, [change, red, typesFail, change, green]))).toEqual([]);
  });

  it("is not one that takes longer than the tests", () => {
    const slow = { ...typesFail, durationMs: 90_000 };

    expect(
      learn(testOrder, times(4, [change, { ...red, durationMs: 10_000 }, slow, change, typesPass, green])),
    ).toEqual([]);
  });

  it("is not one of another module in each session", () => {
    const sessions = ["a", "b", "c", "d"].map((name) => {
      const one = edited(`src/${name}/x.ts`);
      return { actions: [one, red, typesFail, one, typesPass, green] };
    });

    expect(learn(testOrder, sessions)).toEqual([]);
  });
});

function narrow(failed: boolean): Partial<Action> {
  const line = "npm test src/auth/login.test.ts";
  const command = { line, name: "npm test", purpose: "test" as const, targets: ["src/auth/login.test.ts"] };
  return ran(line, { command, failed });
}

function times(count: number, actions: Partial<Action>[]): Told[] {
  return Array.from({ length: count }, () => ({ actions }));
}
