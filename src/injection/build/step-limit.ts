import { MemoryError } from "../../base/memory-error.js";
import type { Memory } from "../../memory/memory.js";
import { findPendingNotice, readProject } from "../../project/project.js";
import type { InjectOptions, InjectionPorts } from "../injection.js";
import { recipientIn, isEligible } from "../eligibility/is-eligible.js";
import { checkOptions, isInjectionEnabled } from "../limits/is-injection-enabled.js";
import { toActiveFiles } from "../active-files/find-active-files.js";
import { listOfActiveFiles } from "../active-files/active-files-queries.js";

// The first design.
const maxFactor = 2;
// Chosen, not measured: the seed names a limit and no number. It is to stop only an agent that has lost its way.
const usuallyMost = 1000;

export interface StepLimit {
  baseSteps: number;
  /** How many times as many steps as planned such work takes; absent: as many. */
  factor?: number | undefined;
  /** Never more than this. Default 1,000. */
  most?: number | undefined;
}

/**
 * How many steps an agent may take: what was planned, up to twice as many where such work has taken longer. A factor below
 * one does not lower it: an agent that is cut short costs more than one that has steps to spare. The absolute limit holds
 * even where more is planned.
 *
 * @example
 * stepLimit({ baseSteps: 20, factor: 1.55 }) // 31
 * stepLimit({ baseSteps: 20, factor: 7 })    // 40
 */
export function stepLimit({ baseSteps, factor = 1, most = usuallyMost }: StepLimit): number {
  refuseUnless(Number.isInteger(baseSteps) && baseSteps >= 1, "baseSteps", "a whole number from 1");
  refuseUnless(Number.isFinite(factor) && factor > 0, "factor", "a number above 0");
  refuseUnless(Number.isInteger(most) && most >= 1, "most", "a whole number from 1");
  const raised = baseSteps * Math.min(Math.max(factor, 1), maxFactor);
  // 20 × 1.1 is 22.000000000000004.
  return Math.min(Math.ceil(raised - 1e-9), most);
}

function refuseUnless(fits: boolean, name: string, what: string): void {
  if (fits) return;
  throw new MemoryError("invalid-input", `${name} of a step limit must be ${what}.`, "stepLimit({ baseSteps: 20 })");
}

export interface StepLimitQuery extends Omit<StepLimit, "factor"> {
  modules?: readonly string[];
  files?: readonly string[];
  /** Count only what was planned in this way of working. */
  methodology?: string;
}

/** A limit, and what it follows from. */
export interface CalibratedStepLimit {
  steps: number;
  /** Absent where nothing is known of such work. */
  factor?: number;
  /** Ids of the calibrations that were counted. */
  memories: string[];
}

/** The step limit by what work on these modules has taken so far; the plan itself where nothing is known of them. */
export async function calibratedStepLimit(
  { context }: Pick<InjectionPorts, "context">,
  { modules = [], files = [], methodology, ...limit }: StepLimitQuery,
  options: InjectOptions = {},
): Promise<CalibratedStepLimit> {
  checkOptions(options);
  const settings = await context.settings();
  if (!isInjectionEnabled(settings, options) || (await findPendingNotice(context))) return { steps: stepLimit(limit), memories: [] };
  const { minConfidence = settings.injectionConfidence } = options;
  const listener = await recipientIn(context, { minConfidence }, {});
  const about = toActiveFiles((await context.folder()).root, files, modules);
  const known = await readProject(context, [], (reader, project) =>
    listOfActiveFiles(reader, project, { types: ["task_calibration"], ...about, most: 50 }, listener, context.now()),
  );
  const sure = known.filter((memory) => isEligible(memory, listener));
  const { factor, counted } = stepFactor(sure, { modules: about.modules, methodology });
  return {
    steps: stepLimit({ ...limit, factor }),
    ...(factor !== undefined && { factor }),
    memories: counted.map(({ id }) => id),
  };
}

/**
 * How many times as many steps as planned work on these modules takes, by its calibrations: the more sessions stand behind
 * one, the more it counts. Those of another way of working do not.
 */
export function stepFactor(
  calibrations: readonly Memory[],
  { modules, methodology }: { modules: readonly string[]; methodology?: string | undefined },
): { factor?: number; counted: Memory[] } {
  const counted: Memory[] = [];
  let [sum, samples] = [0, 0];
  for (const memory of calibrations) {
    const { module, ratio, sampleCount, methodology: how } = memory.data ?? {};
    if (typeof ratio !== "number" || !(ratio > 0) || typeof module !== "string" || !modules.includes(module)) continue;
    if (methodology !== undefined && how !== methodology) continue;
    const weight = Math.max(1, Number(sampleCount) || 1);
    counted.push(memory);
    sum += ratio * weight;
    samples += weight;
  }
  return { ...(samples > 0 && { factor: Math.round((sum / samples) * 100) / 100 }), counted };
}
