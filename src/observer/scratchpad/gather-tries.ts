import { findReverts, type Revert } from "./reverts.js";
import type { Action, OrderedNote, Scratchpad, SpokenSaying } from "./session-view.js";
import { isVerification, verdictOf } from "./verdicts.js";

/** Edits that belong together, and everything that speaks for or against them. */
export interface Try {
  edits: Action[];
  files: Set<string>;
  /** Which of its edits were taken back, and how much of each: of an edit of several files each counts by itself. */
  taken: Map<Action, number>;
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
 * or given up, when other files are edited after a check that failed, after a new plan or for another request. Files in
 * which nothing is left of it, while it stays in others, are a try of their own where a check had failed.
 */
export function gatherTries(pad: Pick<Scratchpad, "actions" | "sayings" | "prompts">): Try[] {
  const { actions } = pad;
  const reverts = byRevert(findReverts(actions));
  const rerun = linesRunAgain(actions);
  const tryOf = new Map<Action, Try>();
  const tries: Try[] = [];
  /** Those that no check has passed yet. */
  const open = new Set<Try>();
  /** Those that were edited since the last check. */
  const unjudged = new Set<Try>();
  let current: Try | undefined;
  let lastFailure: Action | undefined;
  let hasNewPlan = false;
  /** What was just split off: what is taken back next may show that it belongs together after all. */
  let split: { from: Try; off: Try } | undefined;
  let pending: SpokenSaying[] = [];

  for (const happened of inOrder(pad)) {
    if ("is" in happened) hear(happened);
    else if ("kind" in happened) hasNewPlan = true;
    else look(happened);
  }
  return tries.toSorted((a, b) => firstOf(a) - firstOf(b));

  function hear(saying: SpokenSaying): void {
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
    if (undone) for (const owner of new Set(undone.map(({ edit: taken }) => tryOf.get(taken)))) takeBack(owner, undone);
    else if (isEdit(action)) edit(action);
    if (!isVerification(action) && !rerun.has(lineOf(action))) return;
    const verdict = verdictOf(action);
    if (verdict === "failed") fail(action);
    else if (verdict === "passed") pass(action);
  }

  function takeBack(owner: Try | undefined, undone: readonly Revert[]): void {
    const whole = owner && split?.off === owner ? split.from : owner;
    if (!whole) return;
    if (split?.from === whole) rejoin(split);
    const own = undone.filter((revert) => tryOf.get(revert.edit) === whole);
    for (const { edit: taken } of own) {
      whole.taken.set(taken, (whole.taken.get(taken) ?? 0) + 1 / new Set(taken.files).size);
    }
    const revert = own.at(-1);
    const gone = isMostlyTaken(whole) ? whole : splitOff(whole);
    if (!gone || !revert) return;
    if (gone.reverted?.revert !== revert.revert) gone.timesReverted++;
    gone.reverted = revert;
    tell(gone);
    close(gone);
  }

  /** A try of the files in which nothing is left of another one; undefined where there are none, or nothing had failed. */
  function splitOff(whole: Try): Try | undefined {
    const kept = new Set(whole.edits.filter((one) => !isTaken(whole, one)).flatMap((one) => one.files ?? []));
    const edits = whole.edits.filter((one) => (one.files ?? []).every((file) => !kept.has(file)));
    const [first] = edits;
    const failures = first ? whole.failures.filter(({ order }) => order > first.order) : [];
    if (!first || failures.length === 0) return undefined;
    const before = whole.failures.findLast(({ order }) => order < first.order);
    const off: Try = {
      ...begin(),
      edits,
      files: new Set(edits.flatMap((one) => one.files ?? [])),
      taken: new Map(edits.map((one) => [one, 1])),
      sayings: whole.sayings.filter(({ order }) => order > first.order).slice(0, mostSayings),
      failures,
      returned: countErrors(failures),
      errorBefore: before ? (before.error?.fingerprint ?? "") : whole.errorBefore,
    };
    tries[tries.length - 1] = off;
    whole.edits = whole.edits.filter((one) => !edits.includes(one));
    whole.files = new Set(whole.edits.flatMap((one) => one.files ?? []));
    for (const one of edits) {
      whole.taken.delete(one);
      tryOf.set(one, off);
    }
    split = { from: whole, off };
    return off;
  }

  function rejoin({ from, off }: { from: Try; off: Try }): void {
    split = undefined;
    tries.splice(tries.indexOf(off), 1);
    from.edits = [...from.edits, ...off.edits].toSorted((a, b) => a.order - b.order);
    for (const one of off.edits) {
      from.taken.set(one, 1);
      tryOf.set(one, from);
      for (const file of one.files ?? []) from.files.add(file);
    }
  }

  function edit(action: Action): void {
    const files = action.files ?? [];
    split = undefined;
    current = goesOn(files) ? current : (triedAgain(action) ?? begin());
    if (!current) return;
    current.edits.push(action);
    for (const file of files) current.files.add(file);
    tryOf.set(action, current);
    tell(current);
    open.add(current);
    const [oldest] = open;
    if (oldest && open.size > mostOpen) close(oldest);
    unjudged.add(current);
    hasNewPlan = false;
  }

  /** A try goes on while the same files are edited; before any check also others, unless there is something new to do. */
  function goesOn(files: readonly string[]): boolean {
    if (!current) return false;
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

  function begin(): Try {
    const begun: Try = {
      edits: [],
      files: new Set(),
      taken: new Map(),
      sayings: [],
      failures: [],
      returned: new Map(),
      errorBefore: lastFailure && (lastFailure.error?.fingerprint ?? ""),
      timesReverted: 0,
    };
    tries.push(begun);
    return begun;
  }

  function fail(action: Action): void {
    split = undefined;
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
    split = undefined;
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
    const room = mostSayings - one.sayings.length;
    if (room > 0) one.sayings.push(...pending.slice(-room));
    pending = [];
  }
}

// A check says nothing about what was tried so long ago; and each looks at all of them.
const mostOpen = 10;
// Enough to tell a plan and what became of it.
const mostSayings = 20;

function isEdit({ does, failed, files }: Action): boolean {
  return does === "edit" && failed !== true && (files?.length ?? 0) > 0;
}

function firstOf({ edits }: Try): number {
  return edits[0]?.order ?? 0;
}

function isTaken({ taken }: Try, edit: Action): boolean {
  // Three thirds are less than one.
  return (taken.get(edit) ?? 0) > 0.99;
}

function isMostlyTaken({ taken, edits }: Try): boolean {
  return [...taken.values()].reduce((sum, share) => sum + share, 0) > edits.length / 2;
}

/** Where an edit put something: text that says the same in another file is another place. */
function placesOf({ files, edit }: Action): string[] {
  return (files ?? []).flatMap((file) => (edit?.pairs ?? []).map(([before]) => `${file}\n${before}`));
}

function countErrors(failures: readonly Action[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { error } of failures) {
    if (error?.message) counts.set(error.fingerprint, (counts.get(error.fingerprint) ?? 0) + 1);
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
