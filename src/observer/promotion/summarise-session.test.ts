import { describe, expect, it } from "vitest";
import { edited, failed, read } from "../../../test/support/acts.js";
import { padOf } from "../../../test/support/pad-of.js";
import type { Taint } from "../trust/taint.js";
import { summariseSession } from "./summarise-session.js";

const now = new Date("2026-11-02T12:00:00Z");

describe("a session in figures", () => {
  it("counts the files of all its agents, and none that lies outside", () => {
    const main = padOf({ actions: [read("src/a.ts"), edited("src/a.ts"), read("/etc/hosts"), read("../other/b.ts")] });
    const helper = padOf({ agentId: "helper", actions: [read("src/a.ts"), read("test/a.test.ts"), read("C:/x.ts")] });

    const { files, modules, record } = summariseSession([main, helper], around());

    expect(files).toEqual([
      { path: "src/a.ts", accesses: 3, edits: 1 },
      { path: "test/a.test.ts", accesses: 1, edits: 0 },
    ]);
    expect(modules).toEqual(["src", "test"]);
    expect(record).toMatchObject({ files: 2, toolCalls: 7, outcome: "success" });
  });

  it("tells what was written, and from what", () => {
    const taint = around([
      ["src/a.ts", "clean"],
      ["notes.md", "tainted"],
      ["/tmp/x", "tainted"],
    ]);

    expect(summariseSession([padOf({ actions: [edited("src/a.ts")] })], taint).files).toEqual([
      { path: "src/a.ts", accesses: 1, edits: 1, written: "clean" },
      { path: "notes.md", accesses: 0, edits: 0, written: "tainted" },
    ]);
  });

  it("counts errors, and none that came after content from outside", () => {
    const pad = padOf({ actions: [failed("npm test", "Error: clean"), failed("npm run it", "Error: tainted")] });
    const [, second] = pad.actions;
    const session = around();
    const of: Taint["of"] = (_, orders) =>
      orders.includes(second?.order ?? -1) ? { from: "web", what: "example.com" } : undefined;

    const { errors } = summariseSession([pad], { ...session, taint: { ...session.taint, of } });

    expect(errors).toMatchObject([{ message: "Error: clean", occurrences: 1 }]);
  });

  it("has the first check, the steps that were planned, and times that a calendar has", () => {
    const pad = padOf({
      notes: [
        { kind: "start", at: -5, root: "/project", agent: "builder" },
        {
          kind: "unit",
          at: 1,
          unit: { methodology: "", hierarchy: [], label: "a" },
          state: "started",
          plannedSteps: 3,
        },
        {
          kind: "unit",
          at: 2,
          unit: { methodology: "", hierarchy: [], label: "b" },
          state: "started",
          plannedSteps: 4,
        },
        { kind: "qa", at: 3, passed: false, issues: [] },
        { kind: "qa", at: 4, passed: true, issues: [] },
        { kind: "end", at: 9e15, outcome: "success" },
      ],
    });

    expect(summariseSession([pad], around()).record).toMatchObject({
      agent: "builder",
      stepsPlanned: 7,
      qaFirstPass: false,
      startedAt: "1970-01-01T00:00:00.000Z",
      endedAt: "+275760-09-13T00:00:00.000Z",
    });
    expect(summariseSession([padOf({})], around()).record).toMatchObject({ startedAt: now.toISOString(), files: 0 });
  });
});

function around(written: [string, "clean" | "tainted"][] = []): Parameters<typeof summariseSession>[1] {
  const taint: Taint = {
    of: () => undefined,
    since: () => undefined,
    spreading: () => undefined,
    spreadsSince: () => undefined,
    written: new Map(written),
  };
  return { sessionId: "s1", type: "build", outcome: "success", taint, now };
}
