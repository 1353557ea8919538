import { moduleOf } from "../scratchpad/module-of.js";
import type { Scratchpad } from "../scratchpad/session-view.js";
import { chanceOfAtLeast } from "./chance.js";
import { evidenceOf } from "./action-evidence.js";
import { tally, textsOf } from "./past-data.js";
import type { Draft, History, PastSighting, Sighting, Signal } from "./signal.js";
import { areCompanions, listTouches, type Touch } from "./touched-files.js";
import { code, codes } from "./wording.js";

/**
 * The files that every session reads when it works on a module. It must not see sessions that only pass through a module,
 * modules of which each session reads something else, files that every session of the project reads, nor files that were
 * read to be changed.
 */
export const fileAccess: Signal = {
  name: "file-access",
  wording: { by: "values" },
  diagnostic: 0.6,
  crossSession: 0.9,
  falsePositives: 0.25,
  promotesTo: ["prefetch_pattern"],
  sessions: 3,
  detect,
  compose,
};

// What was read so shortly before a file of a module was read for it too.
const before = 5;
const maxFiles = 60;

function detect(pad: Scratchpad): Sighting[] {
  const touches = listTouches(pad);
  const works = isWorkOn(touches);
  const changed = new Set(touches.flatMap(({ file, isEdit }) => (isEdit ? [file] : [])));
  const modules = new Map<string, { reads: Map<string, Touch>; edit?: Touch }>();
  for (const [index, touch] of touches.entries()) {
    const { module } = touch;
    if (!works(module)) continue;
    const known = modules.get(module) ?? { reads: new Map<string, Touch>() };
    modules.set(module, known);
    if (touch.isEdit) known.edit ??= touch;
    for (let back = Math.min(before, index); back >= 0; back--) {
      const one = touches[index - back] as Touch;
      if (!one.isEdit && !known.reads.has(one.file)) known.reads.set(one.file, one);
    }
  }
  return [...modules].map(([module, { reads, edit }]) => {
    const all = [...reads.values()];
    const isOwn = (touch: Touch) => touch.module === module;
    const kept = [...all.filter(isOwn), ...all.filter((touch) => !isOwn(touch))].slice(0, maxFiles);
    const actions = [...new Set([...kept, ...(edit ? [edit] : [])].map(({ action }) => action))];
    return {
      signal: "file-access",
      subject: module,
      orders: actions.map(({ order }) => order).toSorted((a, b) => a - b),
      data: {
        files: kept.map(({ file }) => file),
        changed: kept.flatMap(({ file }) => (changed.has(file) ? [file] : [])),
      },
      evidence: evidenceOf(actions),
    };
  });
}

const leastReads = 3;

/** Tells of a module whether a session worked on it: it changed something there, or read there at least thrice. */
export function isWorkOn(touches: readonly Touch[]): (module: string) => boolean {
  const reads = new Map<string, number>();
  for (const { module, isEdit } of touches) {
    reads.set(module, (reads.get(module) ?? 0) + (isEdit ? leastReads : 1));
  }
  // Files that lie at the top are about the project as a whole.
  return (module) => module !== "." && (reads.get(module) ?? 0) >= leastReads;
}

// Seed 002: in at least so many of the sessions that worked on the module.
const always = 0.8;
const frequently = 0.5;
const leastFiles = 2;
const maxNamed = 8;
// As in co-access: with fewer sessions nobody can tell what is read in all of them.
const sessionsToTell = 6;
// Weak on purpose: three sessions that share two files and read a third in two of them pass (0.21), three that pick four
// of a module's five files at random mostly do not (0.47).
const maxChance = 0.25;

function compose(module: string, sightings: readonly PastSighting[], history: History): Draft | undefined {
  const count = sightings.length;
  // Two agents that worked on the same module agree on the module, and not on what is to be read there.
  if (count < fileAccess.sessions) return undefined;
  const files = tally(sightings, "files").filter(
    ({ text }) => moduleOf(text) === module || !isEverywhere(text, history),
  );
  const alwaysRead = files.filter((file) => file.count / count >= always).map(({ text }) => text);
  if (telling(alwaysRead, sightings).length < leastFiles || isByChance(alwaysRead, sightings)) return undefined;
  const often = files.filter((file) => file.count / count >= frequently && file.count / count < always);
  const named = alwaysRead.slice(0, maxNamed);
  const oftenRead = often.map(({ text }) => text).slice(0, maxNamed);
  const further = oftenRead.length > 0 ? ` Often ${codes(oftenRead.slice(0, 3))} too.` : "";
  return {
    type: "prefetch_pattern",
    content: `Work on ${code(module)} needs ${codes(named)}: read them first.${further}`,
    data: {
      alwaysReadFiles: named,
      frequentlyReadFiles: oftenRead,
      moduleTrigger: module,
      sessionCount: count,
    },
    relatedFiles: named,
    relatedModules: [module],
  };
}

function isEverywhere(file: string, history: History): boolean {
  return history.sessions >= sessionsToTell && history.sessionsOfFile(file) / history.sessions >= always;
}

/**
 * The files that say something about the module. One that was changed each time was read because it was to be changed,
 * and that a file and its tests belong together nobody has to be told.
 */
function telling(files: readonly string[], sightings: readonly PastSighting[]): string[] {
  const changed = new Map(tally(sightings, "changed").map(({ text, count }) => [text, count]));
  return files
    .filter((file, index) => !files.slice(0, index).some((other) => areCompanions(file, other)))
    .filter((file) => (changed.get(file) ?? 0) / sightings.length < always);
}

/**
 * Whether that many files would be in nearly all sessions even if each session read at random: where a module's other
 * files are read in most sessions too, three sessions do not tell which of them it takes.
 */
function isByChance(alwaysRead: readonly string[], sightings: readonly PastSighting[]): boolean {
  const known = new Set(alwaysRead);
  const others = sightings.map((sighting) => textsOf(sighting, "files").filter((file) => !known.has(file)));
  const different = new Set(others.flat()).size;
  if (different === 0) return false;
  const share = others.flat().length / different / sightings.length;
  const inNearlyAll = chanceOfAtLeast(Math.ceil(always * sightings.length), sightings.length, share);
  return chanceOfAtLeast(alwaysRead.length, alwaysRead.length + different, inNearlyAll) > maxChance;
}
