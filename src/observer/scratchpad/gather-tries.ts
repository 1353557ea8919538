import { findReverts, type Revert } from "./reverts.js";
import type { Action, OrderedNote, Scratchpad, SpokenSaying } from "./session-view.js";
import { isVerification, verdictOf } from "./verdicts.js";

/** Edits that belong together, and everything that speaks for or against them. */
export interface Try {
  edits: Action[];
  files: Set<string>;
  sayings: SpokenSaying[];
  /** Checks that failed after it and before others were tried. */
  failures: Action[];
  /** By error, how often it came after another edit of this try. */
  returned: Map<string, number>;
  /** The error of the check before it; the empty text for one that is not known, undefined where none had failed. */
  errorBefore: string | undefined;
  /** The first check that passed afterwards. */
  passed?: Action;
  givenUp?: SpokenSaying;
  /** What took back most of its edits, the last time. */
  reverted?: Revert;
  timesReverted: number;
}

/**
 * The tries of a session, oldest first. One begins with an edit, and another one when it has passed a check, was taken back
 * or given up, when other files are edited after a check that failed, after a new plan or for another request. What is
 * taken back of it while the rest stays is a try of its own where a check had failed.
 */
export function gatherTries(pad: Pick<Scratchpad, "actions" | "sayings" | "prompts">): Try[] {
  const { actions } = pad;
  const reverts = byRevert(findReverts(actions));
  const rerun = linesRunAgain(actions);
  const tryOf = new Map<Action, Try>();
  /** How much of an edit was taken back: of one of several files each counts by itself. */
  const taken = new Map<Action, number>();
  const tries: Try[] = [];
  /** Those that no check has passed yet. */
  const open = new Set<Try>();
  /** Those that were edited since the last check. */
  const unjudged = new Set<Try>();
  /** Those of which something was just taken back, and by what last: what is taken back in a row is looked at together. */
  const undoing = new Map<Try, Revert>();
  let current: Try | undefined;
  let lastFailure: Action | undefined;
  let hasNewPlan = false;
  let pending: SpokenSaying[] = [];

  for (const happened of inOrder(pad)) {
    if ("is" in happened) hear(happened);
    else if ("kind" in happened) hasNewPlan = true;
    else look(happened);
  }
  settleUndone();
  return tries.toSorted((a, b) => firstOf(a) - firstOf(b));

  function hear(saying: SpokenSaying): void {
    settleUndone();
    pending.push(saying);
    if (saying.is === "plan") hasNewPlan = true;
    const latest = tries.at(-1);
    if (saying.is !== "abandonment" || !latest || latest.givenUp) return;
    latest.givenUp = saying;
    tell(latest);
    close(latest);
  }

  function look(action: Action): void {
    const undone = reverts.get(action);
    if (undone) for (const revert of undone) takeBack(revert);
    else if (isEdit(action)) edit(action);
    if (!isVerification(action) && !rerun.has(lineOf(action))) return;
    const verdict = verdictOf(action);
    if (verdict !== undefined) settleUndone();
    if (verdict === "failed") fail(action);
    else if (verdict === "passed") pass(action);
  }

  function takeBack(revert: Revert): void {
    const owner = tryOf.get(revert.edit);
    if (!owner) return;
    taken.set(revert.edit, (taken.get(revert.edit) ?? 0) + 1 / new Set(revert.edit.files).size);
    undoing.set(owner, revert);
    tell(owner);
  }

  function settleUndone(): void {
    for (const [owner, revert] of undoing) {
      const gone = findGone(owner);
      if (!gone) continue;
      gone.timesReverted++;
      gone.reverted = revert;
      close(gone);
    }
    undoing.clear();
  }

  /** What of a try was taken back: most of its edits, or all that it did in a file. */
  function findGone(whole: Try): Try | undefined {
    const isTaken = (one: Action) => (taken.get(one) ?? 0) > almostAll;
    const isMostly = whole.edits.reduce((sum, one) => sum + (taken.get(one) ?? 0), 0) > whole.edits.length / 2;
    const kept = new Set(whole.edits.filter((one) => !isTaken(one)).flatMap((one) => one.files ?? []));
    const gone = whole.edits.filter((one) => isTaken(one) && (isMostly || !one.files?.some((file) => kept.has(file))));
    if (kept.size === 0) return whole;
    return splitOff(whole, gone) ?? (isMostly ? whole : undefined);
  }

  /** A try of some edits of another one; undefined where no check had failed after them. */
  function splitOff(whole: Try, edits: Action[]): Try | undefined {
    const since = edits[0]?.order ?? Infinity;
    const failures = whole.failures.filter(({ order }) => order > since);
    if (failures.length === 0) return undefined;
    const gone = new Set(edits);
    const stays = whole.edits.filter((one) => !gone.has(one));
    const told = stays.findLast(({ order }) => order < since)?.order ?? -1;
    const before = whole.failures.findLast(({ order }) => order < since);
    const off = begin(before ? (before.error?.fingerprint ?? "") : whole.errorBefore);
    off.edits = edits;
    off.files = filesOf(edits);
    off.sayings = whole.sayings.filter(({ order }) => order > told);
    off.failures = failures;
    off.returned = countErrors(edits, failures);
    if (whole.passed && whole.passed.order > since) off.passed = whole.passed;
    if (whole.givenUp && whole.givenUp.order > since) {
      // What stays was not given up.
      off.givenUp = whole.givenUp;
      delete whole.givenUp;
    }
    for (const one of edits) tryOf.set(one, off);
    whole.edits = stays;
    whole.files = filesOf(whole.edits);
    return off;
  }

  function edit(action: Action): void {
    settleUndone();
    const files = action.files ?? [];
    current = goesOn(files)
      ? current
      : (triedAgain(action) ?? begin(lastFailure && (lastFailure.error?.fingerprint ?? "")));
    if (!current) return;
    current.edits.push(action);
    for (const file of files) current.files.add(file);
    tryOf.set(action, current);
    tell(current);
    open.add(current);
    const [oldest] = open;
    if (oldest && open.size > maxOpen) close(oldest);
    unjudged.add(current);
    hasNewPlan = false;
  }

  /** A try goes on while the same files are edited; before any check also others, unless there is something new to do. */
  function goesOn(files: readonly string[]): boolean {
    if (!current || current.edits.length >= maxEdits) return false;
    return files.some((file) => current?.files.has(file)) || (unjudged.has(current) && !hasNewPlan);
  }

  /**
   * The latest try, when it was taken back for no known reason and now something else is put in the same place. What had
   * passed a check was put in to look at something.
   */
  function triedAgain(action: Action): Try | undefined {
    const latest = tries.at(-1);
    if (!latest?.reverted || latest.failures.length > 0 || latest.givenUp || latest.passed) return undefined;
    const places = new Set(latest.edits.flatMap(placesOf));
    if (!placesOf(action).some((place) => places.has(place))) return undefined;
    delete latest.reverted;
    return latest;
  }

  function begin(errorBefore: string | undefined): Try {
    const begun: Try = {
      edits: [],
      files: new Set(),
      sayings: [],
      failures: [],
      returned: new Map(),
      errorBefore,
      timesReverted: 0,
    };
    tries.push(begun);
    return begun;
  }

  function fail(action: Action): void {
    lastFailure = action;
    const fingerprint = action.error?.message ? action.error.fingerprint : undefined;
    const latest = tries.at(-1);
    for (const one of unjudged) {
      one.failures.push(action);
      // Running the same once more without having changed anything is not another try.
      if (fingerprint !== undefined) one.returned.set(fingerprint, (one.returned.get(fingerprint) ?? 0) + 1);
    }
    if (unjudged.size === 0 && latest && !latest.reverted && !latest.givenUp) latest.failures.push(action);
    unjudged.clear();
  }

  function pass(action: Action): void {
    for (const one of open) {
      if (!settles(action, one.failures.at(-1) ?? lastFailure)) continue;
      one.passed = action;
      close(one);
    }
    if (settles(action, lastFailure)) lastFailure = undefined;
    unjudged.clear();
  }

  function close(one: Try): void {
    open.delete(one);
    unjudged.delete(one);
    if (current === one) current = undefined;
  }

  function tell(one: Try): void {
    const room = maxSayings - one.sayings.length;
    if (room > 0) one.sayings.push(...pending.slice(-room));
    pending = [];
  }
}

// A check says nothing about what was tried so long ago; and each looks at all of them.
const maxOpen = 10;
// More than any way takes. It keeps undoing a thousand edits one by one from taking the square of their number.
const maxEdits = 200;
// Enough to tell a plan and what became of it.
const maxSayings = 20;
// Three thirds of an edit add up to a little less than one.
const almostAll = 0.99;

function isEdit({ does, failed, files }: Action): boolean {
  return does === "edit" && failed !== true && (files?.length ?? 0) > 0;
}

function firstOf({ edits }: Try): number {
  return edits[0]?.order ?? 0;
}

function filesOf(edits: readonly Action[]): Set<string> {
  return new Set(edits.flatMap(({ files }) => files ?? []));
}

/** Where an edit put something: text that says the same in another file is another place. */
function placesOf({ files, edit }: Action): string[] {
  return (files ?? []).flatMap((file) => (edit?.pairs ?? []).map(([before]) => `${file}\n${before}`));
}

/** How often each error came after another edit. Both in their order. */
function countErrors(edits: readonly Action[], failures: readonly Action[]): Map<string, number> {
  const counts = new Map<string, number>();
  let next = 0;
  for (const { error, order } of failures) {
    const from = next;
    while ((edits[next]?.order ?? Infinity) < order) next++;
    if (next > from && error?.message) counts.set(error.fingerprint, (counts.get(error.fingerprint) ?? 0) + 1);
  }
  return counts;
}

function byRevert(reverts: readonly Revert[]): Map<Action, Revert[]> {
  const found = new Map<Action, Revert[]>();
  for (const revert of reverts) {
    const others = found.get(revert.revert);
    if (others) others.push(revert);
    else found.set(revert.revert, [revert]);
  }
  return found;
}

/** Commands of no known purpose that are run again and again: an agent's own way of checking. */
function linesRunAgain(actions: readonly Action[]): Set<string> {
  const once = new Set<string>();
  const again = new Set<string>();
  for (const action of actions) {
    if (action.command?.purpose !== "other") continue;
    const line = lineOf(action);
    if (once.has(line)) again.add(line);
    once.add(line);
  }
  return again;
}

function lineOf({ command }: Action): string {
  return command?.line ?? "";
}

/** True when a check that passed says something about what failed: tests about everything, others about their kind. */
function settles({ command: passed }: Action, failure: Action | undefined): boolean {
  const failed = failure?.command;
  if (!passed || (failed && passed.line === failed.line)) return passed !== undefined;
  if (passed.purpose === "other") return false;
  if (!failed) return true;
  if (passed.purpose !== "test" && passed.purpose !== failed.purpose) return false;
  const [here, there] = [passed.targets, failed.targets];
  if (!here?.length || !there?.length) return true;
  return here.some((one) => there.some((other) => touch(one, other)));
}

function touch(a: string, b: string): boolean {
  return a.startsWith(b) || b.startsWith(a);
}

/** Everything that was done, said and asked; what has the same order in this order. */
function inOrder({
  actions,
  sayings,
  prompts,
}: Pick<Scratchpad, "actions" | "sayings" | "prompts">): (Action | SpokenSaying | OrderedNote<"prompt">)[] {
  return [...actions, ...sayings, ...prompts].toSorted((a, b) => a.order - b.order);
}
