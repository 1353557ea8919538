import { bytesOf } from "./bytes-of.js";
import type { Held } from "./held-notes.js";
import type { Action } from "./session-view.js";

/**
 * Takes out of a scratchpad what is worth least until so many bytes are free, of equal worth the oldest first; and tells what went
 * and how many bytes that were. First go other actions that say nothing, then reads and searches that were made before,
 * steps and commands that only look, prompts and plans, the remaining reads and searches, commands; last what signals live
 * on: edits, errors, corrections, units, quality reports and commits.
 *
 * Trust does not go with it: the first action with content from outside stays for ever, and so does the first that asked for
 * a merge. And since it is known only at the
 * end whether a file that was read belongs to the project, the first read that goes without another of the same file
 * stays in truth and counts as one from outside.
 */
export function evict(held: Held, bytes: number): { gone: ReadonlySet<object>; bytes: number } {
  const gone = new Set<object>();
  const firstOutside = held.actions.find(({ outside }) => outside !== undefined);
  const firstMerge = held.actions.find(({ merges }) => merges);
  let taintedFrom = firstOutside?.order ?? Infinity;
  let freed = 0;
  for (const [worth, items] of byWorth(held).entries()) {
    for (const item of items) {
      if (freed >= bytes) break;
      if (item === firstOutside || item === firstMerge) continue;
      if (worth >= onlyLook && isLook(item) && item.order < taintedFrom) {
        taintedFrom = item.order;
        freed -= markOutside(item);
        continue;
      }
      freed += bytesOf(item);
      gone.add(item);
    }
  }
  for (const list of Object.values(held) as object[][]) keepOthers(list, gone);
  return { gone, bytes: freed };
}

type Item = Held[keyof Held][number];

const [nothing, lookAgain, passing, talk, onlyLook, command, telling] = [0, 1, 2, 3, 4, 5, 6] as const;

function byWorth({ prompts, actions, sayings, steps, ...others }: Held): Item[][] {
  const worths: Item[][] = [[], [], [], [], [], [], []];
  const put = (worth: number, item: Item): void => void worths[worth]?.push(item);
  const looked = new Set<string>();
  for (const action of actions) put(worthOf(action, looked), action);
  for (const step of steps) put(passing, step);
  // The first prompt says what the session is about.
  for (const [index, prompt] of prompts.entries()) put(index === 0 ? telling : talk, prompt);
  for (const saying of sayings) put(saying.is === "plan" || saying.is === "cause" ? talk : telling, saying);
  for (const item of Object.values(others).flat()) put(telling, item);
  return worths;
}

function worthOf(action: Action, looked: Set<string>): number {
  const {
    does,
    files = [],
    search,
    command: run,
    failed,
    error,
    outside,
    instructions = [],
    remembers,
    merges,
  } = action;
  // What its result will tell is not known yet.
  if (action.endedAt === undefined) return telling;
  if (does === "edit" || failed === true || error || outside || instructions.length > 0) return telling;
  if (merges || remembers !== undefined || (run?.restores?.length ?? 0) > 0) return telling;
  if (isLook(action)) {
    const what = `${files.join("\0")}\0${search?.pattern ?? ""}\0${search?.where ?? ""}`;
    if (looked.has(what)) return lookAgain;
    looked.add(what);
    return onlyLook;
  }
  if (does === "other") return nothing;
  return run?.purpose === "look" ? passing : command;
}

function isLook(item: Item): item is Action {
  return "does" in item && (item.does === "read" || item.does === "search");
}

function markOutside(action: Action): number {
  const before = bytesOf(action);
  action.outside = { from: "untracked", what: "files that are no longer known" };
  return bytesOf(action) - before;
}

/** In place, because whoever was given the list goes on looking at it. */
function keepOthers(list: object[], gone: ReadonlySet<object>): void {
  let kept = 0;
  for (const item of list) if (!gone.has(item)) list[kept++] = item;
  list.length = kept;
}
