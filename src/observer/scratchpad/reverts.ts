import type { Action } from "./session-view.js";

/** An edit that the agent took back. */
export interface Revert {
  file: string;
  edit: Action;
  revert: Action;
  /** By writing what stood there before, or by a command that restores files. */
  by: "edit" | "command";
}

/**
 * The edits that were taken back, in the order in which that happened: by an edit that brings back what an earlier one
 * replaced, by writing a file as it was before, or by a command such as `git checkout -- a.ts`. An edit counts when
 * nothing is left of it, for each of its files once. One that was made again afterwards was not taken back, and what was
 * stashed only for a while neither.
 *
 * @example
 * findReverts(pad.actions)[0]; // { file: "src/a.ts", edit: { order: 4, … }, revert: { order: 9, … }, by: "edit" }
 */
export function findReverts(actions: readonly Action[]): Revert[] {
  const files = new Map<string, FileHistory>();
  const reverts = new Set<Revert>();
  for (const action of actions) {
    if (isStashPop(action)) unstash(files, reverts);
    else if (restoresFiles(action)) restore(action, files, reverts);
    else if (/\bgit commit\b/.test(action.command?.line ?? "") && action.failed !== true) {
      // What is committed is out of reach of the commands that restore; an edit can still undo it.
      for (const history of files.values()) history.uncommitted = [];
    } else if (action.does === "edit" && action.failed !== true) {
      for (const file of new Set(action.files)) edit(action, historyOf(files, file), reverts);
    }
  }
  return [...reverts];
}

/** What was done to a file. */
interface FileHistory {
  file: string;
  edits: Action[];
  /** The pieces of text that replaced each other, by the mark of the one that stands there now. */
  pieces: Map<string, Piece>;
  /** The whole texts that were written, and how many edits there were by then. */
  wholes: { mark: string; edits: number }[];
  uncommitted: Action[];
  /** How many of its pieces an edit still has in the file. */
  left: Map<Action, number>;
  /** What edits had written that were taken back, to recognise them when they are made again. */
  undone: Map<string, Revert>;
}

/** `states[n + 1]` is what `edits[n]` made of `states[n]`. */
interface Piece {
  states: string[];
  edits: Action[];
}

// Beyond, the beginning of a history is forgotten: an agent that rewrites one place fifty times does not go back so far.
const longestHistory = 50;

function historyOf(files: Map<string, FileHistory>, file: string): FileHistory {
  const known = files.get(file);
  if (known) return known;
  const [pieces, left, undone] = [new Map<string, Piece>(), new Map<Action, number>(), new Map<string, Revert>()];
  const history: FileHistory = { file, edits: [], pieces, wholes: [], uncommitted: [], left, undone };
  files.set(file, history);
  return history;
}

function edit(action: Action, history: FileHistory, reverts: Set<Revert>): void {
  const { whole } = action.edit ?? {};
  const pairs = pairsOf(action);
  let goesBack = false;
  let goesOn = false;
  for (const pair of pairs) {
    if (replace(action, history, pair, reverts)) goesBack = true;
    else goesOn = true;
  }
  if (whole !== undefined && write(action, history, whole, reverts)) goesBack = true;
  // An edit that only takes back is not itself something that could be taken back.
  if (goesBack && !goesOn) return;
  history.left.set(action, pairs.length);
  history.edits.push(action);
  history.uncommitted.push(action);
}

function pairsOf(action: Action): [before: string, after: string][] {
  return (action.edit?.pairs ?? []).filter(([before, after]) => before !== after);
}

/** True when the pair brings back what stood in its place before. */
function replace(
  action: Action,
  history: FileHistory,
  [before, after]: [before: string, after: string],
  reverts: Set<Revert>,
): boolean {
  makeAgain(`${before}>${after}`, history, reverts);
  const piece = history.pieces.get(before) ?? { states: [before], edits: [] };
  history.pieces.delete(before);
  history.pieces.set(after, piece);
  const earlier = piece.states.lastIndexOf(after);
  if (earlier === -1) {
    piece.states.push(after);
    piece.edits.push(action);
    if (piece.states.length <= longestHistory) return false;
    piece.states.shift();
    piece.edits.shift();
    return false;
  }
  for (const taken of piece.edits.splice(earlier)) takeBack(taken, action, "edit", history, reverts, 1);
  piece.states.length = earlier + 1;
  return true;
}

/** True when the file was written as it had been before. */
function write(action: Action, history: FileHistory, mark: string, reverts: Set<Revert>): boolean {
  makeAgain(mark, history, reverts);
  const earlier = history.wholes.findLastIndex((whole) => whole.mark === mark);
  const since = earlier === -1 ? [] : history.edits.slice(history.wholes[earlier]?.edits);
  for (const taken of since) takeBack(taken, action, "edit", history, reverts, Infinity);
  if (since.length > 0) {
    history.wholes.length = earlier + 1;
    return true;
  }
  // The edit itself comes to stand at this place among the edits, and belongs to the text that it wrote.
  history.wholes.push({ mark, edits: history.edits.length + 1 });
  if (history.wholes.length > longestHistory) history.wholes.shift();
  return false;
}

function takeBack(
  taken: Action,
  revert: Action,
  by: Revert["by"],
  history: FileHistory,
  reverts: Set<Revert>,
  pieces: number,
): void {
  const left = history.left.get(taken);
  if (left === undefined) return;
  if (left > pieces) {
    history.left.set(taken, left - pieces);
    return;
  }
  const found: Revert = { file: history.file, edit: taken, revert, by };
  reverts.add(found);
  history.left.delete(taken);
  for (const [before, after] of pairsOf(taken)) history.undone.set(`${before}>${after}`, found);
  if (taken.edit?.whole !== undefined) history.undone.set(taken.edit.whole, found);
}

function makeAgain(what: string, history: FileHistory, reverts: Set<Revert>): void {
  const again = history.undone.get(what);
  if (!again) return;
  reverts.delete(again);
  history.undone.delete(what);
}

/**
 * A line of several commands may fail at a later one; a command of git alone that failed restored nothing. `git clean`
 * alone removes files that git does not know, and leaves the edits of all others.
 */
function restoresFiles({ command, failed }: Action): boolean {
  if (!command?.restores?.length || (failed === true && command.purpose === "version-control")) return false;
  return !/\bgit clean\b/.test(command.line) || /\bgit (?:checkout|restore|reset|stash)\b/.test(command.line);
}

function restore(action: Action, files: Map<string, FileHistory>, reverts: Set<Revert>): void {
  const restored = action.command?.restores ?? [];
  for (const [file, history] of files) {
    if (!restored.some((path) => isWithin(file, path))) continue;
    for (const taken of history.uncommitted) takeBack(taken, action, "command", history, reverts, Infinity);
    history.uncommitted = [];
    history.wholes = [];
  }
}

function isWithin(file: string, path: string): boolean {
  const folder = path.replace(/^\.\//, "").replace(/\/$/, "");
  return folder === "." || folder === "" || file === folder || file.startsWith(`${folder}/`);
}

// `git stash`, a look at how things were, `git stash pop`: nothing was taken back.
function isStashPop({ command }: Action): boolean {
  return /\bgit stash (?:pop|apply)\b/.test(command?.line ?? "");
}

function unstash(files: Map<string, FileHistory>, reverts: Set<Revert>): void {
  for (const revert of reverts) {
    if (!/\bgit stash\b/.test(revert.revert.command?.line ?? "")) continue;
    reverts.delete(revert);
    const history = historyOf(files, revert.file);
    history.left.set(revert.edit, pairsOf(revert.edit).length);
    history.uncommitted.push(revert.edit);
  }
}
