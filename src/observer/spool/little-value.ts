import type { Note } from "../observer.js";

const passing = new Set(["read", "search", "other"]);

/**
 * True for a note that a full spool does without. Never for one by which content from outside could be recognised: what
 * was fetched, and every file that was looked at, because which files are the project's own is only known at the end.
 */
export function hasLittleValue(note: Note): boolean {
  if (note.kind === "step") return true;
  if (note.kind === "call") {
    const { does, files, search, outside, remembers, merges } = note;
    const names = (files?.length ?? 0) > 0 || search?.where !== undefined;
    return passing.has(does) && !names && outside === undefined && remembers === undefined && !merges;
  }
  if (note.kind !== "result") return false;
  const { failed, error, outside, instructions, tests } = note;
  return !failed && !error && outside === undefined && tests === undefined && (instructions?.length ?? 0) === 0;
}
