import type { Analytics } from "./session-view.js";

/**
 * Which step of the agent it is, in `analytics.currentStep`. A step ends where the agent says so. Where it does not, or not
 * with its tokens, a call begins a new step when something was said, asked or answered since the call before: calls made
 * at once are one step.
 */
export interface StepCount {
  /** Something was said, asked or answered. */
  interrupt(): void;
  /** A call is made. */
  call(isFirst: boolean): void;
  /** The agent says that a step is over; one that says how many tokens it took counts its steps itself. */
  end(hasTokens: boolean): void;
}

export function openStepCount(analytics: Pick<Analytics, "currentStep">): StepCount {
  let isAgentCounting = false;
  let isInterrupted = false;
  return {
    interrupt() {
      isInterrupted = true;
    },
    call(isFirst) {
      if (isInterrupted && !isAgentCounting && !isFirst) analytics.currentStep++;
      isInterrupted = false;
    },
    end(hasTokens) {
      isAgentCounting ||= hasTokens;
      isInterrupted = false;
      analytics.currentStep++;
    },
  };
}
