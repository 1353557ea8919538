import { describe, expect, it } from "vitest";
import { edited, failed, learned, ran, read, seenIn } from "../../../test/acts.js";
import type { SpokenSaying } from "../scratchpad/session-view.js";
import { selfCorrection } from "./self-correction.js";
import { signalValue } from "./signal.js";

describe("selfCorrection", () => {
  it("is worth 0.88", () => {
    expect(signalValue(selfCorrection)).toBe(0.88);
  });

  it("learns from one session what is so, and what was believed", () => {
    const session = saying({
      text: "I initially thought tokens expire after an hour, but `verifyToken` must be called with the refresh time.",
      believed: "tokens expire after an hour",
      actual: "`verifyToken` must be called with the refresh time",
    });

    expect(learned(selfCorrection, [session])).toMatchObject({
      type: "gotcha",
      content:
        "`verifyToken` must be called with the refresh time. What was believed first: tokens expire after an hour. It came up in `src/auth/tokens.ts`.",
      relatedFiles: ["src/auth/tokens.ts"],
      relatedModules: ["src/auth"],
    });
  });

  it("takes a sentence that names a file or an identifier", () => {
    const session = saying({ text: "Actually, sessions.ts is only loaded in the worker, not in the main process." });

    expect(learned(selfCorrection, [session])).toMatchObject({
      type: "gotcha",
      content: "Sessions.ts is only loaded in the worker, not in the main process.",
      relatedFiles: ["src/auth/sessions.ts"],
    });
  });

  it("takes a sentence about what was just touched", () => {
    const session = saying({ text: "Wait, the expiry is stored in seconds." });

    expect(learned(selfCorrection, [session])).toMatchObject({
      type: "module_insight",
      content: "The expiry is stored in seconds. It came up in `src/auth/tokens.ts`.",
    });
  });

  it("rests on the saying and on what it is about", () => {
    const [sighting] = seenIn(selfCorrection, saying({ text: "Wait, the expiry is stored in seconds." }));

    expect(sighting?.orders).toEqual([3, 2]);
    expect(sighting?.evidence.map(({ did }) => did)).toEqual(["read src/auth/tokens.ts", "said"]);
  });

  it.each([
    "Wait for the server to start.",
    "Wait until `npm run dev` is ready.",
    "Actually, that works.",
    "Actually, that's fine.",
    "Let me reconsider the order.",
    "Wait, let me check `src/auth/tokens.ts` first.",
    "Actually, I should read tokens.ts before I change it.",
    "Actually, I'll do the tests first, then the code.",
    "Wait, is `verifyToken` async?",
    "Actually, the tests are passing now.",
    "Let me reconsider. The plan is better with the tests first.",
    "Actually, it makes sense.",
    "",
  ])("sees nothing in: %s", (text) => {
    expect(seenIn(selfCorrection, saying({ text }))).toEqual([]);
  });

  it("sees nothing in a change of plan, even when it is told apart", () => {
    const session = saying({
      text: "I initially thought I would start with the tests but I will start with the code.",
      believed: "I would start with the tests",
      actual: "I will start with the code",
    });

    expect(seenIn(selfCorrection, session)).toEqual([]);
  });

  it("sees nothing in a sentence that could be about anything", () => {
    const session = { actions: [ran("ls")], sayings: [correction({ text: "Wait, the expiry is stored in seconds." })] };

    expect(seenIn(selfCorrection, session)).toEqual([]);
  });

  it("learns from a place that was written anew after it failed", () => {
    const message = "TypeError: pool.release is not a function";
    const actions = [
      edited("src/pool.ts", "old", "first"),
      failed("npm test", message),
      edited("src/pool.ts", "first", "second"),
      ran("npm test"),
    ];

    expect(learned(selfCorrection, [actions])).toMatchObject({
      type: "gotcha",
      content: `The first version of a change in \`src/pool.ts\` failed in \`npm test\` with \`${message}\` and had to be written anew.`,
      sureness: -0.2,
    });
    expect(
      learned(selfCorrection, [
        { actions, sayings: [{ is: "cause", text: "the pool has `end`, no `release`", order: 2 }] },
      ])?.content,
    ).toMatch(/^The pool has `end`, no `release`\. The first version/);
  });

  it("sees nothing in red and green", () => {
    const rewritten = (message: string) => [
      edited("src/pool.ts", "old", "first"),
      failed("npm test", message),
      edited("src/pool.ts", "first", "second"),
      ran("npm test"),
    ];

    expect(seenIn(selfCorrection, rewritten("AssertionError: expected 1 to be 2"))).toEqual([]);
    expect(seenIn(selfCorrection, rewritten("SyntaxError: Unexpected token '}'"))).toEqual([]);
    expect(seenIn(selfCorrection, rewritten("TS2345: Argument of type 'A' is not assignable"))).toEqual([]);
    expect(seenIn(selfCorrection, rewritten(""))).toEqual([]);
  });

  it("sees nothing in another place, without a failure, and without a pass", () => {
    const message = "TypeError: pool.release is not a function";
    const [first, fails, second, passes] = [
      edited("src/pool.ts", "old", "first"),
      failed("npm test", message),
      edited("src/pool.ts", "first", "second"),
      ran("npm test"),
    ];

    expect(seenIn(selfCorrection, [first, fails, edited("src/pool.ts", "x", "y"), passes])).toEqual([]);
    expect(seenIn(selfCorrection, [first, passes, second, passes])).toEqual([]);
    expect(seenIn(selfCorrection, [fails, first, fails, second, passes])).toEqual([]);
    expect(seenIn(selfCorrection, [first, fails, second, fails])).toEqual([]);
    expect(seenIn(selfCorrection, [first, fails, second])).toEqual([]);
  });
});

function saying(about: Partial<SpokenSaying>) {
  return {
    actions: [read("src/auth/sessions.ts"), ran("ls"), read("src/auth/tokens.ts"), ran("ls", { order: 4 })],
    sayings: [correction(about)],
  };
}

function correction(about: Partial<SpokenSaying>): Partial<SpokenSaying> {
  return { is: "correction", order: 3, at: Date.parse("2026-11-02T09:00:02.500Z"), ...about };
}
