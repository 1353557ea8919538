import { describe, expect, it } from "vitest";
import { openAnalytics } from "./analytics.js";
import { openHeldNotes } from "./held-notes.js";
import { joinCalls } from "./join-calls.js";
import { openStepCount } from "./step-count.js";

describe("calls and results", () => {
  it("are one action, whose bytes are counted as if it had come at once", () => {
    const { calls, held, analytics } = opened();

    calls.call({ ...called("1", 0), outside: { from: "web", what: "a.example" } });
    calls.result({ ...answered("1", 5), outside: { from: "web", what: "b.example" } });

    expect(held.actions).toMatchObject([{ order: 0, at: 0, endedAt: 5, outside: { what: "b.example" } }]);
    const apart = opened();
    apart.add(apart.held.actions, { ...(held.actions[0] as (typeof held.actions)[number]) });
    expect(analytics.bytes).toBe(apart.analytics.bytes);
  });

  it("are told twice and happen once", () => {
    const { calls, held, analytics } = opened();

    for (const at of [0, 1]) calls.call(called("1", at));
    calls.call({ ...called("1", 60_000), late: true });
    for (const bytes of [10, 20]) calls.result({ ...answered("1", 2), bytes });

    expect(held.actions).toMatchObject([{ bytes: 10 }]);
    expect(analytics.toolCalls).toBe(1);
  });

  it("are no longer joined once the action was let go of", () => {
    const { calls, held } = opened();

    calls.call(called("1", 0));
    calls.forget(new Set(held.actions));
    calls.result(answered("1", 1));

    expect(held.actions.map(({ tool }) => tool)).toEqual(["Read", ""]);
  });
});

function opened() {
  const analytics = openAnalytics();
  const notes = openHeldNotes(analytics);
  return { ...notes, analytics, calls: joinCalls(notes, analytics, openStepCount(analytics)) };
}

function called(call: string, at: number) {
  return { kind: "call" as const, call, at, tool: "Read", does: "read" as const, files: ["a.ts"] };
}

function answered(call: string, at: number) {
  return { kind: "result" as const, call, at, bytes: 1 };
}
