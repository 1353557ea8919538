import { describe, expect, it } from "vitest";
import { projectContext } from "../../../test/support/keep-records.js";
import { remember } from "../../memory/remember/remember-memories.js";
import { calibratedStepLimit, stepLimit } from "./step-limit.js";

describe("the limit of steps", () => {
  it.each([
    [{ baseSteps: 20 }, 20],
    [{ baseSteps: 20, factor: 1.55 }, 31],
    [{ baseSteps: 20, factor: 1.1 }, 22],
    [{ baseSteps: 20, factor: 7 }, 40],
    [{ baseSteps: 20, factor: 0.4 }, 20],
    [{ baseSteps: 7, factor: 1.5 }, 11],
    [{ baseSteps: 900, factor: 2 }, 1000],
    [{ baseSteps: 50, factor: 2, most: 80 }, 80],
    [{ baseSteps: 50, most: 30 }, 30],
  ])("of %j is %i", (limit, steps) => {
    expect(stepLimit(limit)).toBe(steps);
  });

  it.each([
    { baseSteps: 0 },
    { baseSteps: 1.5 },
    { baseSteps: NaN },
    { baseSteps: 5, factor: -1 },
    { baseSteps: 5, most: 0 },
  ])("is refused for %j", (limit) => {
    expect(() => stepLimit(limit)).toThrow(expect.objectContaining({ code: "invalid-input" }));
  });

  it("[I12] follows from the calibrations of the modules in play, and is the plan where there are none", async () => {
    const context = await projectContext();
    const data = {
      module: "src/store",
      methodology: "native",
      averageActualSteps: 3,
      averagePlannedSteps: 2,
      ratio: 1.5,
    };
    const input = { type: "task_calibration", relatedModules: ["src/store"] };
    const [known] = await remember(
      context,
      [
        { ...input, content: "Half as much again", data: { ...data, sampleCount: 3 } },
        { ...input, content: "From the web", data: { ...data, ratio: 9, sampleCount: 9 } },
      ],
      { doubts: [undefined, "Read on the web."] },
    );

    const here = await calibratedStepLimit({ context }, { baseSteps: 10, files: ["src/store/read.ts"] });
    const elsewhere = await calibratedStepLimit({ context }, { baseSteps: 10, modules: ["src/ui"] });
    const none = await calibratedStepLimit({ context }, { baseSteps: 10, modules: ["src/store"] }, { mode: "none" });

    expect(here).toEqual({ steps: 15, factor: 1.5, memories: [known?.id] });
    expect([elsewhere, none]).toEqual([
      { steps: 10, memories: [] },
      { steps: 10, memories: [] },
    ]);
  });
});
