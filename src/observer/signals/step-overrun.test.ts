import { describe, expect, it } from "vitest";
import { aroundOf, padOf, type Told } from "../../../test/support/pad-of.js";
import { taskCalibration } from "../../memory/type-registry/memory-data.js";
import type { WorkUnit } from "../../memory/memory.js";
import type { PastSighting } from "./signal.js";
import { stepOverrun } from "./step-overrun.js";

const noHistory = { sessions: 3, sessionsOfFile: () => 3, sessionsOfModule: () => 3 };
const unit: WorkUnit = { methodology: "native", hierarchy: ["7", "2"], label: "Login form" };

describe("what a session shows", () => {
  it("is what was planned and what was done, where most of the edits were", () => {
    const [sighting] = see(session(4, 10));

    expect(sighting).toMatchObject({
      subject: "src/auth (build)",
      data: { module: "src/auth", methodology: "build", planned: 4, done: 10, files: ["src/auth/login.ts"] },
    });
    expect(sighting?.evidence.at(-1)?.did).toBe("took 10 steps where 4 were planned");
  });

  it("is told by pieces of work where these have plans, each for its own module", () => {
    const edits = Array.from({ length: 9 }, (_, index) => edit("src/auth/login.ts", 10 + index));

    const sightings = see({
      actions: [...edits, edit("src/ui/form.ts", 40), edit("src/ui/form.ts", 41)],
      notes: [
        { kind: "start", at: 0, root: "/project", plannedSteps: 1, order: 0 },
        { kind: "unit", at: 0, unit, state: "started", plannedSteps: 3, order: 5 },
        { kind: "unit", at: 0, unit, state: "succeeded", order: 30 },
        { kind: "unit", at: 0, unit: { ...unit, hierarchy: ["7", "3"] }, state: "started", plannedSteps: 2, order: 35 },
        { kind: "unit", at: 0, unit: { ...unit, hierarchy: ["7", "3"] }, state: "succeeded", order: 50 },
      ],
    });

    expect(sightings.map(({ subject, data }) => [subject, data.planned, data.done])).toEqual([
      ["src/auth (native)", 3, 9],
      ["src/ui (native)", 2, 2],
    ]);
  });

  it("counts an agent's steps, and its calls only where it tells of none", () => {
    const told = session(2, 6);
    const steps = [1, 2, 3].map((order) => ({ kind: "step" as const, at: 0, order }));

    expect(see({ ...told, notes: [...(told.notes ?? []), ...steps] })[0]?.data.done).toBe(3);
  });

  it("is nothing where there was no plan, where the work failed, or where it was all over the project", () => {
    const places = ["src/a/x.ts", "src/b/x.ts", "src/c/x.ts"].map((file, index) => edit(file, index));
    const start = { kind: "start" as const, at: 0, root: "/project", plannedSteps: 1, order: -1 };

    expect(see({ actions: [edit("src/auth/login.ts", 0)] })).toEqual([]);
    expect(see({ ...session(2, 9), notes: [start, { kind: "end", at: 0, outcome: "failure" }] })).toEqual([]);
    expect(see({ actions: places, notes: [start] })).toEqual([]);
    expect(see({ actions: [{ does: "read", files: ["src/auth/login.ts"] }], notes: [start] })).toEqual([]);
  });
});

describe("what sessions add up to", () => {
  it("is how far plans for the module fall short", async () => {
    const draft = compose([session(4, 10), session(5, 9), session(6, 11)]);

    expect(draft).toMatchObject({
      type: "task_calibration",
      content:
        "Work in `src/auth` takes about 2 times as many steps as are planned for it: 10 instead of 5 on average.",
      relatedFiles: ["src/auth/login.ts"],
      relatedModules: ["src/auth"],
    });
    expect(taskCalibration.parse(draft?.data)).toMatchObject({ ratio: 2, sampleCount: 3, methodology: "build" });
  });

  it("is nothing where one of three kept to its plan, however long the others took", () => {
    expect(compose([session(4, 40), session(4, 40), session(4, 4)])).toBeUndefined();
  });

  it("is nothing where the plan holds on the whole", () => {
    const within = Array.from({ length: 9 }, () => session(8, 8));

    expect(compose([...within, session(4, 8), session(4, 8), session(4, 8)])).toBeUndefined();
  });

  it("is nothing where a plan of one step became two", () => {
    expect(compose([session(1, 2), session(1, 2), session(1, 2)])).toBeUndefined();
  });
});

function session(planned: number, done: number): Told {
  return {
    actions: Array.from({ length: done }, (_, order) => edit("src/auth/login.ts", order)),
    notes: [{ kind: "start", at: 0, root: "/project", plannedSteps: planned, order: -1 }],
  };
}

function edit(file: string, order: number) {
  return { does: "edit" as const, files: [file], order, at: order };
}

function see(told: Told) {
  const pad = padOf(told);
  return stepOverrun.detect(pad, aroundOf(pad));
}

function compose(sessions: Told[]) {
  const sightings = sessions.map((told, index): PastSighting => ({
    sessionId: `s${index}`,
    at: "2026-11-02T09:00:00.000Z",
    data: see(told)[0]?.data ?? {},
    evidence: [],
  }));
  return stepOverrun.compose("src/auth (build)", sightings, noHistory);
}
