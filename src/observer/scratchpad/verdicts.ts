import type { Outcome } from "../observer.js";
import type { Action, Scratchpad } from "./session-view.js";

/** True for a run of tests, a build or a check. */
export function isVerification({ command }: Action): boolean {
  return command?.purpose === "test" || command?.purpose === "build" || command?.purpose === "check";
}

/** What an action that has ended says about the work before it. Undefined while it has not, or goes on behind its answer. */
export function verdictOf({ endedAt, failed, error, tests, pending }: Action): "passed" | "failed" | undefined {
  if (endedAt === undefined) return undefined;
  if (failed === true || error !== undefined || (tests?.failed ?? 0) > 0) return "failed";
  return pending === true ? undefined : "passed";
}

/**
 * How a session ended. What its main agent says counts; where that says nothing, it failed when the last quality report
 * or the last verification of the main agent failed and nothing passed afterwards. Everything else is a success.
 */
export function findOutcome(pads: readonly Scratchpad[]): Exclude<Outcome, "unknown"> {
  const main = pads.find(({ agentId }) => agentId === undefined) ?? pads[0];
  const said = main?.end?.outcome ?? "unknown";
  if (said !== "unknown") return said;
  const report = pads
    .flatMap(({ qa }) => qa.slice(-1))
    .toSorted((a, b) => a.at - b.at)
    .at(-1);
  if (report && !report.passed) return "failure";
  const last = main?.actions.findLast((action) => isVerification(action) && verdictOf(action) !== undefined);
  if (!last || verdictOf(last) === "passed") return "success";
  const passedAt = (pad: Scratchpad): number =>
    pad.actions.findLast((action) => isVerification(action) && verdictOf(action) === "passed")?.endedAt ?? -Infinity;
  const latestPass = Math.max(report?.at ?? -Infinity, ...pads.map(passedAt));
  return latestPass > (last.endedAt ?? last.at) ? "success" : "failure";
}
