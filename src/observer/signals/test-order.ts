import { moduleOf } from "../scratchpad/module-of.js";
import type { Action, Scratchpad } from "../scratchpad/session-view.js";
import { evidenceOf, hasFailed, hasPassed } from "./action-evidence.js";
import { moduleName } from "./main-module.js";
import { newestText, tally } from "./past-data.js";
import { average, numbersOf, toTenth } from "./past-numbers.js";
import type { Draft, History, PastSighting, Sighting, Signal } from "./signal.js";
import { isTestFile, listEdits } from "./touched-files.js";
import { typedLine } from "./typed-line.js";
import { code } from "./wording.js";

/**
 * All tests fail after a change in a module, and a quicker check (types, lint, one file of tests) that is run only then
 * fails on the same mistake: it would have told before. It must not see tests that fail and are mended, a check that
 * passes while the tests fail, one that was run first anyway, nor one that fails because of the mending.
 */
export const testOrder: Signal = {
  name: "test-order",
  wording: { by: "command", optional: ["line"] },
  diagnostic: 0.8,
  crossSession: 0.6,
  falsePositives: 0.2,
  promotesTo: ["task_calibration"],
  sessions: 3,
  detect,
  compose,
};

/** All tests after they failed, until they pass. */
interface Red {
  test: string;
  failure: Action;
  runs: number;
  /** Checks that failed before anything was mended, and when they passed. */
  told: Map<string, { failure: Action; pass?: Action }>;
  isMended: boolean;
  /** How often the source of each module was edited for that. */
  mended: Map<string, number>;
}

function detect(pad: Scratchpad): Sighting[] {
  const edits = listEdits(pad);
  const sightings = new Map<string, Sighting>();
  let red: Red | undefined;
  let hasChanged = false;
  /** What was run since the last edit. */
  let tried = new Set<string>();
  for (const action of pad.actions) {
    const edited = edits.get(action);
    if (edited) {
      hasChanged = true;
      tried = new Set();
      if (red) red.isMended = true;
      for (const file of edited.filter((path) => !isTestFile(path))) increase(red?.mended, moduleOf(file));
    }
    const run = runOf(action);
    if (!run) continue;
    if (red) red.runs++;
    if (run.isWhole && hasFailed(action)) {
      if (!red && hasChanged)
        red = { test: run.name, failure: action, runs: 1, told: new Map(), isMended: false, mended: new Map() };
    } else if (run.isWhole) {
      for (const sighting of red?.test === run.name ? listTold(red, action, pad) : []) {
        if (!sightings.has(sighting.subject)) sightings.set(sighting.subject, sighting);
      }
      if (red?.test === run.name) red = undefined;
      hasChanged = false;
    } else if (red) note(red, run.name, action, tried);
    tried.add(run.name);
  }
  return [...sightings.values()];
}

function increase(counts: Map<string, number> | undefined, key: string): void {
  counts?.set(key, (counts.get(key) ?? 0) + 1);
}

/** A run that tells whether a change is right; undefined for any other, and for one whose result never came. */
function runOf(action: Action): { name: string; isWhole: boolean } | undefined {
  const { command } = action;
  if (action.does !== "run" || !command || (!hasFailed(action) && !hasPassed(action))) return undefined;
  const { name, purpose, targets = [] } = command;
  if (name === "" || (purpose !== "test" && purpose !== "check" && purpose !== "build")) return undefined;
  const whole = [name, ...targets].join(" ");
  return whole.length > 160 ? undefined : { name: whole, isWhole: purpose === "test" && targets.length === 0 };
}

function note({ told, isMended }: Red, name: string, action: Action, tried: ReadonlySet<string>): void {
  const known = told.get(name);
  if (!hasFailed(action)) {
    if (known && isMended) known.pass ??= action;
  } else if (!known && !isMended && !tried.has(name)) told.set(name, { failure: action });
}

// One that takes longer than all tests is no help.
const maxOfTests = 1.2;

function listTold({ test, failure, runs, told, mended }: Red, green: Action, pad: Scratchpad): Sighting[] {
  const [most] = [...mended].toSorted(([, a], [, b]) => b - a);
  if (!most) return [];
  const [module] = most;
  return [...told].flatMap(([check, { failure: early, pass }]) => {
    if (!pass || durationOf(early) > durationOf(failure) * maxOfTests) return [];
    const actions = [failure, early, pass, green];
    return {
      signal: "test-order",
      subject: `${module}: ${check} → ${test}`,
      orders: actions.map(({ order }) => order),
      data: {
        module,
        check,
        line: early.command ? typedLine(early.command) : "",
        test,
        runs,
        methodology: pad.start?.methodology ?? "",
      },
      evidence: evidenceOf(actions),
    } as const;
  });
}

function durationOf({ at, endedAt, durationMs }: Action): number {
  return durationMs ?? (endedAt === undefined ? 0 : Math.max(0, endedAt - at));
}

const plannedRuns = 1;
// Where it happens in few of the sessions of a module it is less sure that it will help.
const oftenEnough = 0.3;

function compose(_subject: string, sightings: readonly PastSighting[], history: History): Draft | undefined {
  const [module, check, test] = ["module", "check", "test"].map((name) => newestText(sightings, name));
  if (module === undefined || check === undefined || test === undefined) return undefined;
  // What differs from session to session belongs to what was changed then.
  const [line, another] = tally(sightings, "line");
  const runFirst = line && !another ? line.text : check;
  const runs = toTenth(average(numbersOf(sightings, "runs")));
  const isRare = sightings.length / Math.max(1, history.sessionsOfModule(module)) < oftenEnough;
  return {
    type: "task_calibration",
    content: `Changes in ${moduleName(module)} take about ${Math.round(runs)} runs until ${code(test)} passes. Run ${code(runFirst)} before it: that fails on the same mistakes and tells sooner.`,
    data: {
      module,
      methodology: newestText(sightings, "methodology") ?? "none",
      averageActualSteps: runs,
      averagePlannedSteps: plannedRuns,
      ratio: runs / plannedRuns,
      sampleCount: sightings.length,
      runFirst,
      runThen: test,
    },
    relatedFiles: [],
    relatedModules: [module],
    ...(isRare && { confidenceOffset: -0.1 }),
  };
}
