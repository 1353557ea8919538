import { describe, expect, it } from "vitest";
import { aroundOf, padOf, type Told } from "../../../test/support/pad-of.js";
import type { WorkUnit } from "../../memory/memory.js";
import { workUnit } from "./work-unit.js";

const unit: WorkUnit = { methodology: "native", hierarchy: ["7", "2"], label: "Spec 7 / Subtask 2" };
const started = { kind: "unit" as const, at: 0, unit, state: "started" as const, plannedSteps: 2, order: 0 };
const succeeded = { kind: "unit" as const, at: 9000, unit, state: "succeeded" as const, order: 9 };
const edits = [
  { does: "edit" as const, files: ["src/auth/login.ts"], order: 3 },
  { does: "edit" as const, files: ["src/auth/form.ts", "/tmp/note.txt"], order: 4 },
  { does: "edit" as const, files: ["src/other.ts"], order: 12 },
];

describe("what a session shows", () => {
  it("is how a piece of work ended, in which files and in how many steps", () => {
    const { sighting, draft } = learn({
      actions: edits,
      notes: [started, { ...succeeded, summary: "The form checks passwords before it sends them." }],
    });

    expect(sighting).toMatchObject({ subject: "native: 7 / 2 succeeded", orders: [0, 9] });
    expect(draft).toEqual({
      type: "work_unit_outcome",
      content:
        "“Spec 7 / Subtask 2” is done: The form checks passwords before it sends them. " +
        "It changed `src/auth/login.ts` and `src/auth/form.ts`, in 2 steps where 2 were planned.",
      data: {
        outcome: "success",
        files: ["src/auth/login.ts", "src/auth/form.ts"],
        stepsDone: 2,
        stepsPlanned: 2,
      },
      relatedFiles: ["src/auth/login.ts", "src/auth/form.ts"],
      workUnit: unit,
    });
  });

  it("tells the last error of one that failed", () => {
    const error = { fingerprint: "f", message: "TypeError: x is not a function", kind: "TypeError" };

    const { draft } = learn({
      actions: [...edits, { does: "run" as const, failed: true, error, order: 5 }].toSorted(
        (a, b) => a.order - b.order,
      ),
      notes: [started, { ...succeeded, state: "failed" }],
    });

    expect(draft?.data?.outcome).toBe("failure");
    expect(draft?.content).toMatch(
      /^“Spec 7 \/ Subtask 2” failed\. The last error was `TypeError: x is not a function`\./,
    );
  });

  it("leaves out files whose edits were given up", () => {
    const { draft } = learn({
      actions: edits,
      attempts: [{ files: ["src/auth/form.ts"], fate: "abandoned" }],
      notes: [started, succeeded],
    });

    expect(draft?.relatedFiles).toEqual(["src/auth/login.ts"]);
  });

  it("is the last end of one that failed and was done again", () => {
    const { sightings } = see({
      actions: edits,
      notes: [started, { ...succeeded, state: "failed", order: 3 }, { ...started, order: 4 }, succeeded],
    });

    expect(sightings.map(({ subject }) => subject)).toEqual(["native: 7 / 2 succeeded"]);
  });

  it("is nothing where it was only begun, or where nothing is to be told of it", () => {
    expect(see({ actions: edits, notes: [started] }).sightings).toEqual([]);
    expect(see({ notes: [started, succeeded] }).sightings).toEqual([]);
    expect(see({ notes: [started, { ...succeeded, summary: "  " }] }).sightings).toEqual([]);
  });

  it("is nothing in a session without such pieces", () => {
    expect(see({ actions: edits }).sightings).toEqual([]);
  });
});

function see(told: Told) {
  const pad = padOf(told);
  return { sightings: workUnit.detect(pad, aroundOf(pad)) };
}

function learn(told: Told) {
  const [sighting] = see(told).sightings;
  const past = sighting && { sessionId: "s", at: "2026-11-02T09:00:00.000Z", data: sighting.data, evidence: [] };
  const history = { sessions: 1, sessionsOfFile: () => 1, sessionsOfModule: () => 1 };
  return { sighting, draft: past && workUnit.compose(sighting.subject, [past], history) };
}
