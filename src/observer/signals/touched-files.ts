import { moduleOf } from "../scratchpad/module-of.js";
import { oncePerPad } from "../scratchpad/once-per-pad.js";
import type { Action, Scratchpad } from "../scratchpad/session-view.js";
import { hasFailed } from "./action-evidence.js";
import { isProjectFile } from "../scratchpad/project-files.js";

/** One file of the project that was opened or changed, and by what. */
export interface Touch {
  file: string;
  module: string;
  isEdit: boolean;
  action: Action;
  /** Which action of the session it was, from 0. */
  place: number;
}

/** What a session read and edited of the project, in its order. What failed touched nothing. */
export const listTouches: (pad: Scratchpad) => readonly Touch[] = oncePerPad(({ actions }) => {
  const touches: Touch[] = [];
  // By file, its module; undefined for one that is not the project's. The same files come again and again.
  const modules = new Map<string, string | undefined>();
  for (const [place, action] of actions.entries()) {
    if ((action.does !== "read" && action.does !== "edit") || hasFailed(action)) continue;
    const isEdit = action.does === "edit";
    for (const file of action.files ?? []) {
      if (!modules.has(file)) modules.set(file, isOrdinary(file) && isProjectFile(file) ? moduleOf(file) : undefined);
      const module = modules.get(file);
      if (module !== undefined) touches.push({ file, module, isEdit, action, place });
    }
  }
  return touches;
});

/** The files of the project that each edit changed. */
export const listEdits: (pad: Scratchpad) => ReadonlyMap<Action, readonly string[]> = oncePerPad((pad) => {
  const edits = new Map<Action, string[]>();
  for (const { file, isEdit, action } of listTouches(pad)) {
    if (!isEdit) continue;
    const files = edits.get(action);
    if (files) files.push(file);
    else edits.set(action, [file]);
  }
  return edits;
});

// A path that a person could not type is not worth telling anybody.
function isOrdinary(file: string): boolean {
  return file.length <= 200 && !/\p{C}/u.test(file);
}

/** Whether a file is a test, by where it lies or what it is called. */
export function isTestFile(file: string): boolean {
  return /(?:^|\/)(?:tests?|specs?|__tests__|__snapshots__)\/|[._-](?:test|spec)s?\.[^/]+$|(?:^|\/)test_[^/]+$/.test(
    file,
  );
}

/** Whether one of two files is the test, the story or the snapshot of the other, which nobody has to be told. */
export function areCompanions(a: string, b: string): boolean {
  return (isTestFile(a) || isTestFile(b) || isStory(a) || isStory(b)) && stemOf(a) === stemOf(b);
}

function isStory(file: string): boolean {
  return /\.stor(?:y|ies)\.[^/]+$/.test(file);
}

/** What a file and its tests are both called. */
function stemOf(file: string): string {
  const name = file.slice(file.lastIndexOf("/") + 1);
  return name.replace(/^test_/, "").replace(/(?:[._-](?:test|spec|story|stories)s?)?(?:\.[^.]+)?(?:\.snap)?$/, "");
}
