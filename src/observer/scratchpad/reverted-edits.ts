import type { Revert } from "./reverts.js";
import type { Action } from "./session-view.js";
import { splitTry, type Try } from "./try.js";

/** A try, or the part of one, that was taken back, and by what last. */
export interface RevertedTry {
  gone: Try;
  revert: Revert;
  /** True for a part that is a try of its own from now on. */
  isSplit: boolean;
}

/** Which edits of which tries were taken back so far. What is taken back in a row is looked at together. */
export interface RevertedEdits {
  /** An edit is part of a try. */
  add(edit: Action, owner: Try): void;
  /** Gives back the try that the edit is part of, if it is of any. */
  revert(revert: Revert): Try | undefined;
  /** Tells which tries are gone by what was taken back since it was last asked. */
  settle(): RevertedTry[];
}

export function openRevertedEdits(): RevertedEdits {
  const tryOf = new Map<Action, Try>();
  /** How much of an edit was taken back: of one of several files each counts by itself. */
  const taken = new Map<Action, number>();
  const unsettled = new Map<Try, Revert>();

  return {
    add(edit, owner) {
      tryOf.set(edit, owner);
    },
    revert(revert) {
      const owner = tryOf.get(revert.edit);
      if (!owner) return undefined;
      taken.set(revert.edit, (taken.get(revert.edit) ?? 0) + 1 / new Set(revert.edit.files).size);
      unsettled.set(owner, revert);
      return owner;
    },
    settle() {
      const settled = [...unsettled].flatMap(([whole, revert]): RevertedTry[] => {
        const gone = findGone(whole);
        return gone ? [{ gone, revert, isSplit: gone !== whole }] : [];
      });
      unsettled.clear();
      return settled;
    },
  };

  /** What of a try was taken back: most of its edits, or all that it did in a file. */
  function findGone(whole: Try): Try | undefined {
    const isTaken = (one: Action) => (taken.get(one) ?? 0) > almostAll;
    const isMostly = whole.edits.reduce((sum, one) => sum + (taken.get(one) ?? 0), 0) > whole.edits.length / 2;
    const kept = new Set(whole.edits.filter((one) => !isTaken(one)).flatMap((one) => one.files ?? []));
    const gone = whole.edits.filter((one) => isTaken(one) && (isMostly || !one.files?.some((file) => kept.has(file))));
    if (kept.size === 0) return whole;
    const part = splitTry(whole, gone);
    for (const one of part?.edits ?? []) tryOf.set(one, part as Try);
    return part ?? (isMostly ? whole : undefined);
  }
}

// Three thirds of an edit add up to a little less than one.
const almostAll = 0.99;
