import { findReverts, type Revert } from "./reverts.js";
import type { Action, Scratchpad, SpokenSaying } from "./session-view.js";
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
 * or given up, when other files are edited after a check that failed, or after a new plan.
 */
export function gatherTries({ actions, sayings }: Pick<Scratchpad, "actions" | "sayings">): Try[] {
  const reverts = byRevert(findReverts(actions));
  const rerun = linesRunAgain(actions);
  const tryOf = new Map<Action, Try>();
  const takenBack = new Map<Try, number>();
  const tries: Try[] = [];
  /** Those that no check has passed yet. */
  const open = new Set<Try>();
  /** Those that were edited since the last check. */
  const unjudged = new Set<Try>();
  let current: Try | undefined;
  let lastFailure: Action | undefined;
  let hasNewPlan = false;
  let pending: SpokenSaying[] = [];

  for (const happened of inOrder(actions, sayings)) {
    if ("is" in happened) hear(happened);
    else look(happened);
  }
  return tries;

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
    if (undone) for (const revert of undone) takeBack(revert);
    else if (isEdit(action)) edit(action);
    if (!isVerification(action) && !rerun.has(lineOf(action))) return;
    const verdict = verdictOf(action);
    if (verdict === "failed") fail(action);
    else if (verdict === "passed") pass(action);
  }

  function takeBack(revert: Revert): void {
    const owner = tryOf.get(revert.edit);
    if (!owner) return;
    // Of an edit of several files each counts by itself.
    const share = (takenBack.get(owner) ?? 0) + 1 / new Set(revert.edit.files).size;
    takenBack.set(owner, share);
    if (share <= owner.edits.length / 2) return;
    if (owner.reverted?.revert !== revert.revert) owner.timesReverted++;
    owner.reverted = revert;
    tell(owner);
    close(owner);
  }

  function edit(action: Action): void {
    const files = action.files ?? [];
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

  /** A try goes on while the same files are edited; before any check also others, unless there is a new plan. */
  function goesOn(files: readonly string[]): boolean {
    if (!current) return false;
    return files.some((file) => current?.files.has(file)) || (unjudged.has(current) && !hasNewPlan);
  }

  /** The latest try, when it was taken back for no known reason and now something else is put in the same place. */
  function triedAgain({ edit: marks }: Action): Try | undefined {
    const latest = tries.at(-1);
    if (!latest?.reverted || latest.failures.length > 0 || latest.givenUp) return undefined;
    const places = new Set(latest.edits.flatMap((one) => (one.edit?.pairs ?? []).map(([before]) => before)));
    if (!(marks?.pairs ?? []).some(([before]) => places.has(before))) return undefined;
    delete latest.reverted;
    return latest;
  }

  function begin(): Try {
    const begun: Try = {
      edits: [],
      files: new Set(),
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

function* inOrder(actions: readonly Action[], sayings: readonly SpokenSaying[]): Generator<Action | SpokenSaying> {
  let next = 0;
  for (const action of actions) {
    for (let saying = sayings[next]; saying && saying.order < action.order; saying = sayings[++next]) yield saying;
    yield action;
  }
  yield* sayings.slice(next);
}
