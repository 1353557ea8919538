import { type Phase, phases, type WorkUnit } from "../memory/memory.js";
import { extractWorkState } from "./extract-work-state.js";
import { formatRelay } from "./format-relay.js";
import { formatWorkState } from "./format-work-state.js";
import type { MethodologyPlugin, RelayTransition, WorkContext } from "./methodology.js";

/** Specs with subtasks, and the four roles of a build. What is used where no other way of working is named. */
export const native: MethodologyPlugin = {
  id: "native",
  displayName: "Specs and subtasks",
  mapPhase: (phase) => phaseOfWord.get(phase) ?? "explore",
  resolveWorkUnitRef,
  getRelayTransitions: () => transitions,
  formatRelayContext: formatRelay,
  extractWorkState: async (sessionOutput) => extractWorkState(sessionOutput),
  formatWorkStateContext: formatWorkState,
};

const phaseOfWord = new Map<string, Phase>([
  // An agent that knows our own words may use them.
  ...phases.map((phase): [string, Phase] => [phase, phase]),
  ["planning", "define"],
  ["spec", "define"],
  ["coding", "implement"],
  ["qa_review", "validate"],
  ["qa_fix", "refine"],
  ["debugging", "refine"],
  ["insights", "explore"],
]);

const transitions: readonly RelayTransition[] = [
  { from: "planner", to: "coder" },
  { from: "coder", to: "qa_reviewer" },
  { from: "qa_reviewer", to: "qa_fixer", filter: { types: ["error_pattern", "requirement"] } },
];

function resolveWorkUnitRef({ unit, specNumber, subtaskId }: WorkContext): WorkUnit {
  if (unit) return unit;
  const spec = specNumber === undefined || specNumber === "" ? undefined : specNumber;
  const subtask = subtaskId === undefined || subtaskId === "" ? undefined : subtaskId;
  const parts = [
    ...(spec === undefined ? [] : [{ id: spec, label: `Spec ${spec}` }]),
    ...(subtask === undefined ? [] : [{ id: subtask, label: `Subtask ${subtask}` }]),
  ];
  return {
    methodology: "native",
    hierarchy: parts.map(({ id }) => id),
    label: parts.length > 0 ? parts.map(({ label }) => label).join(" / ") : "Work without a spec",
  };
}
