import { moduleOf } from "../scratchpad/module-of.js";
import type { Action } from "../scratchpad/session-view.js";
import { hasFailed } from "./action-evidence.js";
import { projectFiles } from "../scratchpad/project-files.js";
import { code } from "./wording.js";

/** Where some actions did most of their work. */
export interface MainModule {
  module: string;
  /** The files that were edited there, the most often edited first. */
  files: string[];
  edits: Action[];
}

/** The module with at least half of the edits; undefined where they are spread, or where nothing was edited. */
export function findMainModule(actions: readonly Action[]): MainModule | undefined {
  const modules = new Map<string, { files: Map<string, number>; edits: Action[]; count: number }>();
  let all = 0;
  for (const action of actions) {
    if (action.does !== "edit" || hasFailed(action)) continue;
    for (const file of new Set(projectFiles(action))) {
      const name = moduleOf(file);
      const module = modules.get(name) ?? { files: new Map<string, number>(), edits: [], count: 0 };
      modules.set(name, module);
      module.files.set(file, (module.files.get(file) ?? 0) + 1);
      if (module.edits.at(-1) !== action) module.edits.push(action);
      module.count++;
      all++;
    }
  }
  const [most] = [...modules].toSorted(([, a], [, b]) => b.count - a.count);
  if (!most || most[1].count * 2 < all) return undefined;
  const [module, { files, edits }] = most;
  return { module, edits, files: [...files].toSorted(([, a], [, b]) => b - a).map(([file]) => file) };
}

/** A module in a sentence. */
export function moduleName(module: string): string {
  return module === "." ? "the top folder" : code(module);
}
