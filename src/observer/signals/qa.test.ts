import { describe, expect, it } from "vitest";
import { aroundOf, padOf, type Told } from "../../../test/support/pad-of.js";
import type { QaIssue } from "../observer.js";
import { qa } from "./qa.js";

const crash: QaIssue = {
  title: "Login crashes without a password",
  description: "The handler reads `password.length` of undefined",
  file: "src/auth/login.ts",
};

describe("what a session shows", () => {
  it("is what a check found wrong, and what put it right where a later one passed", () => {
    const { sighting, draft } = learn({
      actions: [
        { does: "edit", files: ["src/auth/login.ts"], order: 5 },
        { does: "edit", files: ["src/ui/form.ts"], order: 6 },
      ],
      notes: [report(crash, 3), passed(8)],
    });

    expect(sighting).toMatchObject({
      subject: "src/auth/login.ts: login crashes without a password",
      orders: [3, 5, 8],
    });
    expect(draft).toEqual({
      type: "error_pattern",
      content:
        "A check found in `src/auth/login.ts`: Login crashes without a password. " +
        "The handler reads `password.length` of undefined. It was put right in `src/auth/login.ts`.",
      data: { issue: crash.title, file: "src/auth/login.ts", fixedIn: ["src/auth/login.ts"] },
      relatedFiles: ["src/auth/login.ts"],
      source: "qa_auto",
    });
    expect(sighting?.evidence.map(({ did }) => did)).toEqual([
      "failed a check: Login crashes without a password",
      "edited src/auth/login.ts",
      "passed the check",
    ]);
  });

  it("tells the fix that the check named, and is less sure where nothing passed afterwards", () => {
    const { draft } = learn({
      notes: [report({ title: "Amounts must be rounded to cents", fix: "use `toCents`" }, 3)],
    });

    expect(draft).toMatchObject({ type: "requirement", confidenceOffset: -0.1 });
    expect(draft?.content).toBe(
      "A check found: Amounts must be rounded to cents. The fix that was asked for: use `toCents`.",
    );
  });

  it("is one thing where two checks found the same", () => {
    const { sightings } = see({
      notes: [report(crash, 3), report({ ...crash, title: "login crashes: without a password!" }, 4)],
    });

    expect(sightings).toHaveLength(1);
    expect(sightings[0]?.orders).toEqual([3, 4]);
  });

  it("is a trap where it is neither an error nor a demand", () => {
    expect(learn({ notes: [report({ title: "The date picker counts months from zero" }, 3)] }).draft?.type).toBe(
      "gotcha",
    );
  });

  it("is nothing where the check passed, whatever it remarks", () => {
    expect(see({ notes: [{ ...report(crash, 3), passed: true }] }).sightings).toEqual([]);
  });

  it("is nothing where a failed check names nothing that could be known again", () => {
    expect(see({ notes: [{ kind: "qa", at: 0, passed: false, issues: [], order: 3 }] }).sightings).toEqual([]);
    expect(
      see({
        notes: [report({ title: "" }, 3), report({ title: "Typo" }, 4), report({ title: "!!!", file: "a.ts" }, 5)],
      }).sightings,
    ).toEqual([]);
  });

  it("points to no file where the pass came after edits all over the project", () => {
    const edits = ["a", "b", "c", "d"].map((name) => ({ does: "edit" as const, files: [`src/${name}.ts`] }));

    const { draft } = learn({ actions: edits, notes: [report({ title: "The menu stays open" }, -1), passed(9)] });

    expect(draft?.relatedFiles).toEqual([]);
  });
});

function report(issue: QaIssue, order: number) {
  return { kind: "qa" as const, at: order, passed: false, issues: [issue], order };
}

function passed(order: number) {
  return { kind: "qa" as const, at: order, passed: true, issues: [], order };
}

function see(told: Told) {
  const pad = padOf(told);
  return { sightings: qa.detect(pad, aroundOf(pad)) };
}

function learn(told: Told) {
  const [sighting] = see(told).sightings;
  const past = sighting && { sessionId: "s", at: "2026-11-02T09:00:00.000Z", data: sighting.data, evidence: [] };
  const history = { sessions: 1, sessionsOfFile: () => 1, sessionsOfModule: () => 1 };
  return { sighting, draft: past && qa.compose(sighting.subject, [past], history) };
}
