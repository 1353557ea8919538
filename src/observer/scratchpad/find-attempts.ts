import { gatherTries } from "./gather-tries.js";
import type { Attempt, Scratchpad } from "./session-view.js";
import type { Try } from "./try.js";

/**
 * The ways that an agent tried, oldest first, and what came of each. Abandoned is one that
 * - was taken back, and not for nothing: a check failed because of it, it was given up in words, or the next thing in the
 *   same place was taken back too;
 * - brought the same error at least twice, until only other files were edited and the check passed;
 * - was given up in words, and something else was done.
 *
 * What fails once and is mended in the same files held, and a line for debugging that is removed again was no attempt to
 * solve anything. Edits that stayed are no part of one that was taken back. `last` is where the decision fell, `instead` what first held afterwards and the order of its check.
 */
export function findAttempts(pad: Pick<Scratchpad, "actions" | "sayings" | "prompts">): Attempt[] {
  const tries = gatherTries(pad);
  const attempts = tries.map((one, index) => judge(one, tries.slice(index + 1, index + 1 + furthestLook)));
  let held: Attempt | undefined;
  for (const attempt of attempts.toReversed()) {
    if (attempt.fate === "held") held = attempt;
    else if (attempt.fate === "abandoned" && held) {
      attempt.instead = { files: held.files, sayings: held.sayings, order: held.last };
    }
  }
  return attempts;
}

// What comes so much later has nothing to do with it any more, and a session of thousands of tries stays linear.
const furthestLook = 50;
// A line for debugging takes one to three.
const linesOfDebugging = 3;
const timesOfReturn = 2;

function judge(one: Try, later: readonly Try[]): Attempt {
  const { reverted, givenUp, passed, failures } = one;
  const because: Attempt["because"] = [];
  const orders: number[] = [];
  if (reverted && wasWrong(one) && !heldMeanwhile(one, later)) {
    because.push("reverted");
    orders.push(reverted.revert.order);
  }
  if (givenUp && doesSomethingElse(one, later)) {
    because.push("said");
    if (orders.length === 0) orders.push(givenUp.order);
  }
  if (keptFailing(one, later) || (because.length > 0 && failures.length > 0)) {
    because.push("error");
    if (orders.length === 0) orders.push(failures.at(-1)?.order ?? 0);
  }
  const isAbandoned = because.length > 0;
  const isHeld = passed !== undefined && !reverted;
  const newest = Math.max(...[...one.edits.slice(-1), ...failures.slice(-1)].map(({ order }) => order));
  const error = (
    failures.findLast((failure) => failure.error?.message) ?? failures.findLast((failure) => failure.error)
  )?.error;
  return {
    first: one.edits[0]?.order ?? 0,
    last: isAbandoned ? Math.max(...orders) : isHeld ? passed.order : newest,
    files: [...one.files],
    fate: isAbandoned ? "abandoned" : isHeld ? "held" : "open",
    because,
    ...(error && { error }),
    sayings: one.sayings,
  };
}

/** Whether what was taken back had to go, as far as is known. */
function wasWrong({ failures, returned, errorBefore, givenUp, reverted, timesReverted, edits }: Try): boolean {
  if (givenUp || timesReverted > 1) return true;
  if (failures.length === 0) return false;
  const isNewError = failures.some((failure) => (failure.error?.fingerprint ?? "") !== errorBefore);
  if (isNewError || Math.max(0, ...returned.values()) >= timesOfReturn) return true;
  // The same error as before it: a line for debugging, unless it was more than that.
  const lines = edits.reduce((sum, { edit }) => sum + (edit?.lines ?? 0), 0);
  return reverted?.by === "command" || lines > linesOfDebugging;
}

/** It had passed, and others as well before it was taken back: tidying up, not giving up. */
function heldMeanwhile({ passed, reverted }: Try, later: readonly Try[]): boolean {
  if (!passed || !reverted) return false;
  return later.some((other) => other.passed && !other.reverted && other.passed.order < reverted.revert.order);
}

/**
 * After it was given up before it passed: other text in its place, or another edit where it had failed. Where it had not,
 * other files count only when it was said to be wrong: "let me try another way" is said of anything.
 */
function doesSomethingElse({ files, edits, givenUp, passed, failures }: Try, later: readonly Try[]): boolean {
  if (!givenUp || (passed && passed.order < givenUp.order)) return false;
  const next = later.find((other) => (other.edits[0]?.order ?? 0) > givenUp.order);
  if (!next) return false;
  const written = new Set(edits.flatMap(({ edit }) => (edit?.pairs ?? []).map(([, after]) => after)));
  const replaces = next.edits.some(({ edit }) => (edit?.pairs ?? []).some(([before]) => written.has(before)));
  if (replaces || failures.length > 0) return true;
  return !announcement.test(givenUp.text) && [...next.files].some((file) => !files.has(file));
}

const announcement = /\b(?:different|another|alternative)\b/i;

/**
 * The same error came back after each of several edits, and what made it go was done in other files. Not so for tests that
 * were written first, and not where the error itself pointed to those other files.
 */
function keptFailing({ files, failures, returned, passed, reverted }: Try, later: readonly Try[]): boolean {
  const last = failures.at(-1);
  const error = last?.error;
  if (!last || !error || !passed || reverted || [...files].every(isTest)) return false;
  if ((returned.get(error.fingerprint) ?? 0) < timesOfReturn) return false;
  const edits = later.flatMap((other) => other.edits).filter(({ order }) => order < passed.order);
  const edited = new Set(edits.flatMap((edit) => edit.files ?? []));
  const pointsThere = error.file !== undefined && edited.has(error.file);
  return edited.size > 0 && !pointsThere && ![...edited].some((file) => files.has(file));
}

function isTest(file: string): boolean {
  return /(?:^|\/)(?:tests?|__tests__|specs?)\/|[._-](?:test|spec)s?\.\w+$|(?:^|\/)test_[^/]*$/.test(file);
}
