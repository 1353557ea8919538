import { openRevertedEdits } from "./reverted-edits.js";
import { findReverts, type Revert } from "./reverts.js";
import type { Action, OrderedNote, Scratchpad, SpokenSaying } from "./session-view.js";
import { beginTry, type Try } from "./try.js";
import { openUnjudgedTries } from "./unjudged-tries.js";
import { isVerification, verdictOf } from "./verdicts.js";

/**
 * The tries of a session, oldest first. One begins with an edit, and another one when it has passed a check, was taken back
 * or given up, when other files are edited after a check that failed, after a new plan or for another request. What is
 * taken back of it while the rest stays is a try of its own where a check had failed.
 */
export function gatherTries(pad: Pick<Scratchpad, "actions" | "sayings" | "prompts">): Try[] {
  const reverts = byRevert(findReverts(pad.actions));
  const rerun = linesRunAgain(pad.actions);
  const tries: Try[] = [];
  const unjudged = openUnjudgedTries();
  const undone = openRevertedEdits();
  /** What was said and belongs to no try yet. */
  let unheard: SpokenSaying[] = [];

  for (const happened of inOrder(pad)) {
    if ("is" in happened) hear(happened);
    else if ("kind" in happened) unjudged.plan();
    else look(happened);
  }
  settleUndone();
  return tries.toSorted((a, b) => firstOf(a) - firstOf(b));

  function hear(saying: SpokenSaying): void {
    settleUndone();
    unheard.push(saying);
    if (saying.is === "plan") unjudged.plan();
    const latest = tries.at(-1);
    if (saying.is !== "abandonment" || !latest || latest.givenUp) return;
    latest.givenUp = saying;
    addSayings(latest);
    unjudged.close(latest);
  }

  function look(action: Action): void {
    const revertsOfThis = reverts.get(action);
    if (revertsOfThis) for (const revert of revertsOfThis) takeBack(revert);
    else if (isEdit(action)) edit(action);
    if (!isVerification(action) && !rerun.has(lineOf(action))) return;
    const verdict = verdictOf(action);
    if (verdict !== undefined) settleUndone();
    if (verdict === "failed") unjudged.fail(action, tries.at(-1));
    else if (verdict === "passed") unjudged.pass(action);
  }

  function takeBack(revert: Revert): void {
    const owner = undone.revert(revert);
    if (owner) addSayings(owner);
  }

  function settleUndone(): void {
    for (const { gone, revert, isSplit } of undone.settle()) {
      if (isSplit) tries.push(gone);
      gone.timesReverted++;
      gone.reverted = revert;
      unjudged.close(gone);
    }
  }

  function edit(action: Action): void {
    settleUndone();
    const files = action.files ?? [];
    const current = unjudged.findCurrent(files) ?? findTriedAgain(tries.at(-1), action) ?? begin();
    current.edits.push(action);
    for (const file of files) current.files.add(file);
    undone.add(action, current);
    addSayings(current);
    unjudged.edit(current);
  }

  function begin(): Try {
    const begun = beginTry(unjudged.errorBefore());
    tries.push(begun);
    return begun;
  }

  function addSayings(one: Try): void {
    const room = maxSayings - one.sayings.length;
    if (room > 0) one.sayings.push(...unheard.slice(-room));
    unheard = [];
  }
}

// Enough to tell a plan and what became of it.
const maxSayings = 20;

/** Everything that was done, said and asked; what has the same order in this order. */
function inOrder({
  actions,
  sayings,
  prompts,
}: Pick<Scratchpad, "actions" | "sayings" | "prompts">): (Action | SpokenSaying | OrderedNote<"prompt">)[] {
  return [...actions, ...sayings, ...prompts].toSorted((a, b) => a.order - b.order);
}

function isEdit({ does, failed, files }: Action): boolean {
  return does === "edit" && failed !== true && (files?.length ?? 0) > 0;
}

/**
 * The latest try, when it was taken back for no known reason and now something else is put in the same place. What had
 * passed a check was put in to look at something.
 */
function findTriedAgain(latest: Try | undefined, action: Action): Try | undefined {
  if (!latest?.reverted || latest.failures.length > 0 || latest.givenUp || latest.passed) return undefined;
  const places = new Set(latest.edits.flatMap(placesOf));
  if (!placesOf(action).some((place) => places.has(place))) return undefined;
  delete latest.reverted;
  return latest;
}

/** Where an edit put something: text that says the same in another file is another place. */
function placesOf({ files, edit }: Action): string[] {
  return (files ?? []).flatMap((file) => (edit?.pairs ?? []).map(([before]) => `${file}\n${before}`));
}

function firstOf({ edits }: Try): number {
  return edits[0]?.order ?? 0;
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
