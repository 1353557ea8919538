import { describe, expect, it } from "vitest";
import { openStepCount } from "./step-count.js";

describe("the steps of an agent", () => {
  it("begin with a call after something was said, asked or answered, the first call aside", () => {
    const analytics = { currentStep: 0 };
    const steps = openStepCount(analytics);

    steps.interrupt();
    steps.call(true);
    steps.call(false);
    expect(analytics.currentStep).toBe(0);
    steps.interrupt();
    steps.call(false);
    steps.call(false);

    expect(analytics.currentStep).toBe(1);
  });

  it("end where the agent says so, after which a call begins none", () => {
    const analytics = { currentStep: 0 };
    const steps = openStepCount(analytics);

    steps.interrupt();
    steps.end(false);
    steps.call(false);

    expect(analytics.currentStep).toBe(1);
  });

  it("are the agent's alone once it tells what one took, and not before", () => {
    const analytics = { currentStep: 0 };
    const steps = openStepCount(analytics);

    steps.end(false);
    steps.interrupt();
    steps.call(false);
    expect(analytics.currentStep).toBe(2);
    steps.end(true);
    steps.interrupt();
    steps.call(false);

    expect(analytics.currentStep).toBe(3);
  });
});
