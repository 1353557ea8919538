/** All the ways in which a session tells something worth knowing, one file each; `signal.ts` says what they have in common. */
import type { SessionType } from "../observer.js";
import { backtrack } from "./backtrack.js";
import { coAccess } from "./co-access.js";
import { commit } from "./commit.js";
import { configTouch } from "./config-touch.js";
import { deadEnd } from "./dead-end.js";
import { e2e } from "./e2e.js";
import { errorRetry } from "./error-retry.js";
import { externalReference } from "./external-reference.js";
import { fileAccess } from "./file-access.js";
import { globIgnore } from "./glob-ignore.js";
import { importChase } from "./import-chase.js";
import { parallelConflict } from "./parallel-conflict.js";
import { qa } from "./qa.js";
import { readAbandon } from "./read-abandon.js";
import { repeatedSearch } from "./repeated-search.js";
import { selfCorrection } from "./self-correction.js";
import type { Signal } from "./signal.js";
import { stepOverrun } from "./step-overrun.js";
import { testOrder } from "./test-order.js";
import { timeAnomaly } from "./time-anomaly.js";
import { tokenSpike } from "./token-spike.js";
import { toolSequence } from "./tool-sequence.js";
import { workState } from "./work-state.js";
import { workUnit } from "./work-unit.js";

/** Every signal, the most valuable of the seventeen first, then the other producers. */
export const allSignals: readonly Signal[] = [
  coAccess,
  selfCorrection,
  errorRetry,
  parallelConflict,
  readAbandon,
  repeatedSearch,
  testOrder,
  toolSequence,
  fileAccess,
  stepOverrun,
  backtrack,
  configTouch,
  globIgnore,
  tokenSpike,
  externalReference,
  importChase,
  timeAnomaly,
  deadEnd,
  qa,
  commit,
  workUnit,
  workState,
  e2e,
];

/** The signals that a session of a type is looked at with: all of a build, of others those that suit what is done there. */
export function signalsFor(type: SessionType): readonly Signal[] {
  return byType[type];
}

const byType: Readonly<Record<SessionType, readonly Signal[]>> = {
  build: allSignals,
  insights: [coAccess, selfCorrection, repeatedSearch, deadEnd],
  terminal: [errorRetry, toolSequence, deadEnd, workState],
  pr_review: [errorRetry, selfCorrection, deadEnd, qa, e2e],
  spec: [fileAccess, selfCorrection],
  roadmap: [selfCorrection, workUnit, commit],
  changelog: [],
};
