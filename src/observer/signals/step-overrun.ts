import { sessionTypes } from "../../config/config.js";
import type { Scratchpad } from "../scratchpad/session-view.js";
import { evidenceOf, timeOf } from "./action-evidence.js";
import { countSteps, listFinishedUnits } from "../scratchpad/finished-units.js";
import { findMainModule, moduleName, type MainModule } from "./main-module.js";
import { tally, textOf } from "./past-data.js";
import { average, numbersOf, toTenth } from "./past-numbers.js";
import type { SignalContext, Draft, PastSighting, Sighting, Signal } from "./signal.js";

// Half as much again as was planned. A plan of one step is passed by any second one, hence the least excess.
const leastRatio = 1.5;
const leastExcess = 3;

/**
 * Work in a module takes far more steps than were planned for it, session after session. Every session with a plan is
 * kept, also one that kept to it: the averages are of all of them, and the plan that held speaks against. Work that failed,
 * work all over the project, and sessions without a plan show nothing.
 */
export const stepOverrun: Signal = {
  name: "step-overrun",
  wording: { by: "values", terms: sessionTypes },
  diagnostic: 0.7,
  crossSession: 0.7,
  falsePositives: 0.25,
  promotesTo: ["task_calibration"],
  sessions: 3,
  detect,
  compose,
};

function detect(pad: Scratchpad, around: SignalContext): Sighting[] {
  const bySubject = new Map<string, Plan[]>();
  for (const plan of listPlans(pad, around)) {
    const subject = `${plan.where.module} (${plan.methodology})`;
    bySubject.set(subject, [...(bySubject.get(subject) ?? []), plan]);
  }
  return [...bySubject].map(([subject, plans]) => sightingOf(subject, plans));
}

/** What was planned, and what was done where. */
interface Plan {
  planned: number;
  done: number;
  methodology: string;
  where: MainModule;
  /** When its end was known. */
  at: number;
  orders: number[];
}

function listPlans(pad: Scratchpad, { type }: SignalContext): Plan[] {
  const byHow = pad.start?.methodology ?? type;
  const units = listFinishedUnits(pad).filter(({ plannedSteps }) => isPlan(plannedSteps));
  if (units.length > 0) {
    return units.flatMap(({ unit, started, finished, plannedSteps: planned = 0, doneSteps: done, actions }) => {
      const where = finished.state === "succeeded" ? findMainModule(actions) : undefined;
      const orders = started ? [started.order, finished.order] : [finished.order];
      return where ? [{ planned, done, methodology: unit.methodology || byHow, where, at: finished.at, orders }] : [];
    });
  }
  const { start, end } = pad;
  const hasFailed = end?.outcome === "failure" || end?.outcome === "abandoned";
  const where = start && isPlan(start.plannedSteps) && !hasFailed ? findMainModule(pad.actions) : undefined;
  if (!start || !where) return [];
  return [
    {
      planned: start.plannedSteps ?? 0,
      done: countSteps(pad, -Infinity, Infinity),
      methodology: byHow,
      where,
      at: end?.at ?? where.edits.at(-1)?.at ?? start.at,
      orders: [start.order, end?.order ?? where.edits.at(-1)?.order ?? start.order],
    },
  ];
}

function isPlan(steps: number | undefined): boolean {
  return steps !== undefined && Number.isFinite(steps) && steps >= 1;
}

function sightingOf(subject: string, plans: readonly Plan[]): Sighting {
  const [first] = plans as [Plan];
  const edits = plans.flatMap(({ where }) => where.edits);
  return {
    signal: "step-overrun",
    subject,
    // Not its edits: ways that were tried in vain are what made it long.
    orders: plans.flatMap(({ orders }) => orders),
    data: {
      module: first.where.module,
      methodology: first.methodology,
      planned: plans.reduce((sum, { planned }) => sum + planned, 0) / plans.length,
      done: plans.reduce((sum, { done }) => sum + done, 0) / plans.length,
      files: [...new Set(plans.flatMap(({ where }) => where.files))].slice(0, 10),
    },
    evidence: [
      ...evidenceOf(edits.slice(0, 5)),
      ...plans.slice(0, 5).map(({ at, planned, done }) => ({
        at: timeOf(at),
        did: `took ${done} steps where ${planned} were planned`,
      })),
    ].toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)),
  };
}

function compose(_subject: string, sightings: readonly PastSighting[]): Draft | undefined {
  const [module, methodology] = ["module", "methodology"].map((name) => sightings[0] && textOf(sightings[0], name));
  const planned = average(numbersOf(sightings, "planned"));
  const done = average(numbersOf(sightings, "done"));
  const overruns = sightings.filter((sighting) => isOverrun(...pairOf(sighting)));
  // Where two agents agree, one session is asked for; every other one must have overrun as well.
  const isUsual = overruns.length >= Math.min(stepOverrun.sessions, sightings.length);
  if (!module || !methodology || !isUsual || !isOverrun(planned, done)) return undefined;
  const files = tally(sightings, "files").filter(({ count }) => count * 2 > sightings.length);
  return {
    type: "task_calibration",
    content:
      `Work in ${moduleName(module)} takes about ${toTenth(done / planned)} times as many steps as are planned for it: ` +
      `${Math.round(done)} instead of ${Math.round(planned)} on average.`,
    data: {
      module,
      methodology,
      averageActualSteps: toTenth(done),
      averagePlannedSteps: toTenth(planned),
      ratio: toTenth(done / planned),
      sampleCount: sightings.length,
    },
    relatedFiles: files.slice(0, 5).map(({ text }) => text),
    relatedModules: [module],
  };
}

function pairOf(sighting: PastSighting): [planned: number, done: number] {
  return [numbersOf([sighting], "planned")[0] ?? 0, numbersOf([sighting], "done")[0] ?? 0];
}

function isOverrun(planned: number, done: number): boolean {
  return planned > 0 && done >= leastRatio * planned && done - planned >= leastExcess;
}
