/** The half-lives in days that are promised; every other type never fades. Written out, so that the registry is checked. */
export const halfLives: Record<string, number> = {
  work_state: 7,
  e2e_observation: 30,
  error_pattern: 60,
  gotcha: 60,
  module_insight: 90,
  dead_end: 90,
  causal_dependency: 120,
  workflow_recipe: 120,
  task_calibration: 180,
};
