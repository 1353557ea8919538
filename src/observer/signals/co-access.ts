import { moduleOf } from "../scratchpad/module-of.js";
import { isConfigFile } from "../scratchpad/config-files.js";
import { oncePerPad } from "../scratchpad/once-per-pad.js";
import type { Scratchpad } from "../scratchpad/session-view.js";
import { chanceOfMeeting } from "./chance.js";
import { position } from "../scratchpad/during.js";
import { evidenceOf } from "./action-evidence.js";
import { isWorkOn } from "./file-access.js";
import { isImported, keyOf, readImports } from "./import-keys.js";
import { findPairs, type Pair } from "./near-pairs.js";
import { tally, textOf } from "./past-data.js";
import type { SignalContext, Draft, History, PastSighting, Sighting, Signal } from "./signal.js";
import { areCompanions, isTestFile, listEdits, listTouches, type Touch } from "./touched-files.js";
import { code, codes } from "./wording.js";

/**
 * Two files that sessions open or change near each other. What is changed together has to change together; what is read
 * together is better read at once. It must not see files that just happen to be open in the same sessions, files that are
 * open in every session, a file with its own test, nor configuration, which has a signal of its own.
 */
export const coAccess: Signal = {
  name: "co-access",
  wording: { by: "values" },
  diagnostic: 0.9,
  crossSession: 1,
  falsePositives: 0.2,
  promotesTo: ["causal_dependency", "prefetch_pattern"],
  sessions: 3,
  detect,
  compose,
};

/** The pairs of files that a session had near each other: changed ones first, then the nearest; at most 300. */
export function listPairs(pad: Scratchpad): Pair[] {
  return findPairs(listTouches(pad)).map(({ a, b, aFirst, delayMs, edited }) => ({ a, b, aFirst, delayMs, edited }));
}

function detect(pad: Scratchpad, { pads }: SignalContext): Sighting[] {
  const touches = listTouches(pad);
  const works = isWorkOn(touches);
  const imports = readImports(pad.actions);
  const isLinked = (from: string, to: string) => isImported(keyOf(to), from, imports.get(from) ?? []);
  const changed = listChanged(pad);
  const searches = pad.actions.filter(({ does }) => does === "search");
  const filesOf = countFiles(touches);
  const changedByOthers = pads.filter((other) => other !== pad).map(listChanged);
  return (
    findPairs(touches)
      .filter(({ a, b }) => !areCompanions(a, b) && !isConfigFile(a) && !isConfigFile(b))
      // That a file imports another is read there. That they change together is not.
      .filter(({ a, b, edited }) => edited || !(isLinked(a, b) || isLinked(b, a)))
      // A helper that reads what another agent changes has the same task, and does not agree with it about the files.
      .filter(({ a, b, edited }) => edited || !changedByOthers.some((files) => files.has(a) && files.has(b)))
      .map(({ a, b, aFirst, edited, lead, near, edits, between }) => {
        const actions = [...new Set([...near, ...edits])].toSorted((x, y) => x.order - y.order);
        const isOfOne = moduleOf(a) === moduleOf(b);
        const [goal, other] = near[1].files?.includes(b) ? [b, a] : [a, b];
        const isSearched = (searches[position(searches, near[0].order)]?.order ?? Infinity) < near[1].order;
        return {
          signal: "co-access",
          subject: `${a} + ${b}`,
          orders: actions.map(({ order }) => order),
          data: {
            a,
            b,
            aFirst,
            edited,
            lead,
            isModuleWork: isOfOne && works(moduleOf(a)),
            isDetour: isSearched && changed.has(goal) && !changed.has(other),
            among: isOfOne ? (filesOf.get(moduleOf(a)) ?? 0) : 0,
            between: between.filter(
              (file) => !areCompanions(a, file) && !areCompanions(b, file) && !isConfigFile(file),
            ),
          },
          evidence: evidenceOf(actions),
        };
      })
  );
}

// Every agent asks about all others.
const listChanged = oncePerPad((pad): ReadonlySet<string> => new Set([...listEdits(pad).values()].flat()));

/** Of each module, how many files were touched, tests not counted. */
function countFiles(touches: readonly Touch[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [file, module] of new Map(touches.map((touch) => [touch.file, touch.module]))) {
    if (!isTestFile(file)) counts.set(module, (counts.get(module) ?? 0) + 1);
  }
  return counts;
}

// Of the sessions that had either, the share that had both.
const leastTogether = 0.6;
// A file that is in nearly all sessions says nothing about the others; with fewer sessions nobody can tell.
const nearlyAll = 0.8;
const sessionsToTell = 6;
// Planted pairs with up to four other things between them: 20 of 20 with reads 5 apart, 12 with 3. Of what bench/observer
// makes up (seeds 1 to 3, even and noisy), the wrong pairs of one module had more than three of its files open in most
// sessions, and no planted one had (2026-11).
const maxChance = 0.0001;
const maxChanceAmongOthers = 0.002;
const maxChanceOfRoutine = 0.02;
const fewOfModule = 3;
// Where there are too few sessions for that, only what was done much the same way each time counts.
const routineReads = 5;
const routineChanges = 3;

function compose(_subject: string, sightings: readonly PastSighting[], history: History): Draft | undefined {
  const last = sightings.at(-1);
  const a = last && textOf(last, "a");
  const b = last && textOf(last, "b");
  if (a === undefined || b === undefined || isEverywhere(a, history) || isEverywhere(b, history)) return undefined;
  const together = sightings.length;
  const changed = sightings.filter(({ data }) => data["edited"] === true).length;
  // Two agents of one session who agree: they have the same files open because they have the same task, but if each
  // changed both, one right after the other, that is what the files ask for.
  if (together < coAccess.sessions && !isAtOnce(sightings)) return undefined;
  const either = countEither(a, b, together, history);
  if (together / either < leastTogether) return undefined;

  const forward = sightings.filter(({ data }) => data["aFirst"] === true).length;
  const [first, second] = forward * 2 >= together ? [a, b] : [b, a];
  const modules = [...new Set([moduleOf(first), moduleOf(second)])];
  const rest = {
    relatedFiles: [first, second],
    relatedModules: modules,
    confidenceOffset: Math.round((together / either - 0.8) * 50) / 100,
  };
  const share = either > together ? `${together} of the ${either} sessions` : "every session";
  if (!isNoCoincidence(a, b, sightings, history)) return undefined;
  if (changed >= Math.min(coAccess.sessions, together)) {
    return {
      type: "causal_dependency",
      content: `When ${code(first)} changes, ${code(second)} usually has to follow: ${share} that touched one of them worked on both.`,
      data: { changed: first, affected: second, sessionCount: together },
      ...rest,
    };
  }
  // Where a search lay between them, the first one was not the right place: that is told as such.
  if (sightings.filter(({ data }) => data["isDetour"] === true).length * 2 >= together) return undefined;
  if (isOfModule(modules, sightings, history) || isToldByOthers(a, b, sightings, history)) return undefined;
  return {
    type: "prefetch_pattern",
    content: `${codes([first, second])} belong together: ${share} that opened one of them opened the other soon after.`,
    data: {
      alwaysReadFiles: [first, second],
      frequentlyReadFiles: [],
      moduleTrigger: modules[0] as string,
      sessionCount: together,
    },
    ...rest,
  };
}

function isEverywhere(file: string, history: History): boolean {
  return history.sessions >= sessionsToTell && history.sessionsOfFile(file) / history.sessions >= nearlyAll;
}

function countEither(a: string, b: string, together: number, history: History): number {
  return Math.max(together, history.sessionsOfFile(a) + history.sessionsOfFile(b) - together);
}

/** Of files that are read in a row each time, each with the next says it all: four of them are three pairs, not six. */
function isToldByOthers(a: string, b: string, sightings: readonly PastSighting[], history: History): boolean {
  const together = sightings.length;
  return tally(sightings, "between").some(
    ({ text: file, count }) =>
      count === together &&
      !isEverywhere(file, history) &&
      [a, b].every((end) => together / countEither(end, file, together, history) >= leastTogether),
  );
}

/** What is read whenever a module is worked on is told for the module as a whole. */
function isOfModule(modules: readonly string[], sightings: readonly PastSighting[], history: History): boolean {
  const [module, other] = modules;
  if (module === undefined || other !== undefined) return false;
  const always = sightings.length / Math.max(1, history.sessionsOfModule(module)) >= nearlyAll;
  return always && sightings.every(({ data }) => data["isModuleWork"] === true);
}

/**
 * Files of a module meet in many sessions because these work on the module. So what counts is whether they meet more
 * often than that explains, or the same way each time; and of one module, whether it is just the two.
 */
function isNoCoincidence(a: string, b: string, sightings: readonly PastSighting[], history: History): boolean {
  const together = sightings.length;
  const forward = sightings.filter(({ data }) => data["aFirst"] === true).length;
  const isSameWay = Math.max(forward, together - forward) / together >= nearlyAll;
  const isRoutine = sightings.every(({ data }) =>
    data["edited"] === true
      ? Number(data["lead"]) <= routineChanges
      : isSameWay && Number(data["lead"]) <= routineReads,
  );
  const counts = { a: history.sessionsOfFile(a), b: history.sessionsOfFile(b), together };
  const ofModules = Math.min(history.sessionsOfModule(moduleOf(a)), history.sessionsOfModule(moduleOf(b)));
  const chance = chanceOfMeeting({ sessions: ofModules, ...counts });
  const isOfOne = moduleOf(a) === moduleOf(b);
  // In a module whose few files are open all the time any two of them meet in every session.
  const apart = sightings.filter(({ data }) => Number(data["among"] ?? 0) <= fewOfModule).length;
  if (isOfOne && apart * 2 < together) return chance <= maxChanceAmongOthers && isAtOnce(sightings);
  const sessions = isOfOne ? ofModules : history.sessions;
  const isTellable = sessions < sessionsToTell || chanceOfMeeting({ sessions, ...counts }) <= maxChanceOfRoutine;
  return (isRoutine && isTellable) || chance <= maxChance;
}

/** Whether each session changed both, one right after the other. */
function isAtOnce(sightings: readonly PastSighting[]): boolean {
  return sightings.every(({ data }) => data["edited"] === true && Number(data["lead"]) <= 1);
}
