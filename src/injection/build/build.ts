/** What the roles of a build are given: planner, QA, relay, step limits, work state. What other rooms use of it. */
export type { MemoryBuilds, SavedWork } from "./memory-builds.js";
export { methodologyLoader, openBuilds, type OpenBuilds } from "./open-builds.js";
export type { Recipe } from "./plan-from.js";
export type { PlannerContext, PlannerQuery } from "./planner-context.js";
export type { QaQuery } from "./qa-context.js";
export type { RelayQuery } from "./relay.js";
export type { CalibratedStepLimit, StepLimit, StepLimitQuery } from "./step-limit.js";
export type { UnfinishedWork, WorkPlace, WorkStateInput } from "./work-state.js";
