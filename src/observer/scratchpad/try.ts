import type { Revert } from "./reverts.js";
import type { Action, SpokenSaying } from "./session-view.js";

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

export function beginTry(errorBefore: string | undefined): Try {
  return {
    edits: [],
    files: new Set(),
    sayings: [],
    failures: [],
    returned: new Map(),
    errorBefore,
    timesReverted: 0,
  };
}

/** A try of some edits of another one, which loses them; undefined where no check had failed after them. */
export function splitTry(whole: Try, edits: Action[]): Try | undefined {
  const since = edits[0]?.order ?? Infinity;
  const failures = whole.failures.filter(({ order }) => order > since);
  if (failures.length === 0) return undefined;
  const gone = new Set(edits);
  const stays = whole.edits.filter((one) => !gone.has(one));
  const heardUntil = stays.findLast(({ order }) => order < since)?.order ?? -1;
  const before = whole.failures.findLast(({ order }) => order < since);
  const part = beginTry(before ? (before.error?.fingerprint ?? "") : whole.errorBefore);
  part.edits = edits;
  part.files = filesOf(edits);
  part.sayings = whole.sayings.filter(({ order }) => order > heardUntil);
  part.failures = failures;
  part.returned = countErrors(edits, failures);
  if (whole.passed && whole.passed.order > since) part.passed = whole.passed;
  if (whole.givenUp && whole.givenUp.order > since) {
    // What stays was not given up.
    part.givenUp = whole.givenUp;
    delete whole.givenUp;
  }
  whole.edits = stays;
  whole.files = filesOf(stays);
  return part;
}

function filesOf(edits: readonly Action[]): Set<string> {
  return new Set(edits.flatMap(({ files }) => files ?? []));
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
