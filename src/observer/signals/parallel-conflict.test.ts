import { describe, expect, it } from "vitest";
import { edited, learned, ran, read } from "../../../test/support/acts.js";
import { aroundOf, padOf } from "../../../test/support/pad-of.js";
import type { Action } from "../scratchpad/session-view.js";
import { parallelConflict } from "./parallel-conflict.js";
import { signalValue, type PastSighting } from "./signal.js";

const message = "File has been modified since read";
const error = { fingerprint: "modified", message, kind: "edit" };

describe("parallelConflict", () => {
  it("is worth 0.82", () => {
    expect(signalValue(parallelConflict)).toBe(0.82);
  });

  it("learns from an edit that fails because another agent was quicker", () => {
    const [sighting] = conflict(
      [read("src/a.ts"), ran("ls"), edited("src/a.ts", "a", "b"), ran("ls"), ran("ls")],
      [read("src/a.ts"), ran("ls"), ran("ls"), edited("src/a.ts", "a", "c", { failed: true, error })],
    );
    const past = { sessionId: "s", at: "2026-11-02T09:00:00.000Z", ...sighting } as PastSighting;

    expect(sighting).toMatchObject({ subject: "src/a.ts", orders: [2] });
    expect(sighting?.evidence.map(({ did }) => did)).toEqual([
      "read src/a.ts",
      "edited src/a.ts",
      `edited src/a.ts, which failed: ${message}`,
    ]);
    expect(
      parallelConflict.compose("src/a.ts", [past], { sessions: 1, sessionsOfFile: () => 1, sessionsOfModule: () => 1 }),
    ).toMatchObject({
      type: "gotcha",
      content:
        "Two agents at the same time got in each other's way in `src/a.ts`: the edit of one failed, because the other had changed the file since. Give that file to one agent only.",
      relatedFiles: ["src/a.ts"],
    });
  });

  it("learns from a file that was overwritten, and from an edit that was taken back", () => {
    const first = [read("src/a.ts"), ran("ls"), edited("src/a.ts", "a", "b"), ran("ls"), ran("ls"), ran("ls")];
    const write = { edit: { pairs: [], whole: "w", lines: 9 } };

    expect(
      conflict(first, [read("src/a.ts"), ran("ls"), ran("ls"), edited("src/a.ts", "", "", write)])[0]?.data["kind"],
    ).toBe("overwritten");
    expect(
      conflict(first, [ran("ls"), ran("ls"), ran("ls"), read("src/a.ts"), edited("src/a.ts", "b", "a")])[0]?.data[
        "kind"
      ],
    ).toBe("taken back");
  });

  it("tells it once, whoever is asked", () => {
    const pads = [
      padOf({ actions: [ran("ls")] }),
      padOf({ agentId: "one", actions: [read("src/a.ts"), ran("ls"), edited("src/a.ts"), ran("ls"), ran("ls")] }),
      padOf({
        agentId: "two",
        actions: [read("src/a.ts"), ran("ls"), ran("ls"), edited("src/a.ts", "a", "c", { failed: true, error })],
      }),
    ];
    const around = { pads, type: "build" as const, root: "/project" };

    expect(pads.map((pad) => parallelConflict.detect(pad, around).length)).toEqual([0, 1, 0]);
  });

  it("sees nothing where agents edit different files", () => {
    expect(
      conflict(
        [read("src/a.ts"), edited("src/a.ts"), ran("ls")],
        [read("src/b.ts"), ran("ls"), edited("src/b.ts", "a", "c", { failed: true, error })],
      ),
    ).toEqual([]);
  });

  it("sees nothing where one agent begins after the other ended", () => {
    const later = Date.parse("2026-11-02T10:00:00Z");

    expect(
      conflict(
        [read("src/a.ts"), edited("src/a.ts")],
        [read("src/a.ts"), edited("src/a.ts", "b", "a", { failed: true, error })].map((action, index) => ({
          ...action,
          at: later + index,
          endedAt: later + index,
        })),
      ),
    ).toEqual([]);
  });

  it("sees nothing where the main agent goes on when the one that it started is done", () => {
    const main = padOf({
      actions: [read("src/a.ts"), ran("ls"), ran("ls"), edited("src/a.ts", "a", "c", { failed: true, error })],
    });
    const started = padOf({ agentId: "one", actions: [read("src/a.ts"), edited("src/a.ts")] });

    expect(parallelConflict.detect(main, aroundOf(main, [started]))).toEqual([]);
  });

  it("sees nothing where both edits stay, and where the failure has another reason", () => {
    const first = [read("src/a.ts"), ran("ls"), edited("src/a.ts", "a", "b"), ran("ls"), ran("ls"), ran("ls")];
    const unread = { fingerprint: "u", message: "File has not been read yet", kind: "edit" };

    expect(conflict(first, [read("src/a.ts"), ran("ls"), ran("ls"), edited("src/a.ts", "x", "y")])).toEqual([]);
    expect(
      conflict(first, [ran("ls"), ran("ls"), ran("ls"), edited("src/a.ts", "x", "y", { failed: true, error: unread })]),
    ).toEqual([]);
    expect(conflict(first, [edited("src/a.ts", "x", "y", { failed: true, error }), ran("ls"), ran("ls")])).toEqual([]);
  });

  it("sees nothing in one agent alone", () => {
    expect(
      learned(parallelConflict, [[read("src/a.ts"), edited("src/a.ts", "a", "c", { failed: true, error })]]),
    ).toBeUndefined();
  });
});

/** What two agents show who begin at the same time. */
function conflict(first: Partial<Action>[], second: Partial<Action>[]) {
  const pads = [padOf({ agentId: "one", actions: first }), padOf({ agentId: "two", actions: second })];
  return pads.flatMap((pad) => parallelConflict.detect(pad, { pads, type: "build", root: "/project" }));
}
